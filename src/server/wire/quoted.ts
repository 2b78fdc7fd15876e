const TAME_NAME = /^[\w.-]{1,64}$/

/** Quotes a client's name or value for a message, shortened if it is long. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Returns a name that is safe in a header that lists ignored fields. */
export function tame(name: string): string {
  return TAME_NAME.test(name) ? name : 'unknown'
}
