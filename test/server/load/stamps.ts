/** Milliseconds that the processes of one machine agree on. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now()
}

/** The word at a place of the text that streams tell. */
export function wordAt(index: number): string {
  return `w${index}`
}

/** The whole text. */
export function textOf(words: number): string {
  return Array.from({ length: words }, (_, index) => wordAt(index)).join(' ')
}

const STAMP = /@([\d.]+)/

/** A piece of text with the time at which it was made. */
export function stamped(delta: string): string {
  return `${delta}@${sharedNow().toFixed(2)}`
}

/** A piece of text as it was, and how long ago it was made. */
export function readStamp(delta: string): { readonly text: string; readonly age: number } {
  const made = STAMP.exec(delta)
  if (!made) throw new Error(`No time stands in ${JSON.stringify(delta)}.`)
  return { text: delta.replace(STAMP, ''), age: sharedNow() - Number(made[1]) }
}
