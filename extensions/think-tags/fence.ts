/** Tracks whether the text is inside a fenced code block. */
export interface Fence {
  /** Processes the next piece of the text. */
  follow(text: string): void
  isInside(): boolean
}

const MARK = /^ {0,3}(```|~~~)/
/** The number of characters at the start of a line that decide whether it is a fence. */
const HEAD = 6

export function createFence(): Fence {
  /** The beginning of the current line. */
  let head = ''
  let mark: string | undefined

  function grow(text: string): void {
    if (head.length >= HEAD) return
    const wasMark = MARK.test(head)
    head = (head + text).slice(0, HEAD)
    const found = wasMark ? undefined : MARK.exec(head)?.[1]
    if (found === undefined) return
    if (mark === undefined) mark = found
    else if (mark === found) mark = undefined
  }

  return {
    follow(text) {
      let from = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        grow(text.slice(from, end))
        head = ''
        from = end + 1
      }
      grow(from === 0 ? text : text.slice(from))
    },
    isInside: () => mark !== undefined,
  }
}
