export interface SseFrame {
  readonly event?: string
  readonly data: string
}

/**
 * The events of a text that `sseData` wrote, without comments.
 * @throws {Error} where the text is none
 */
export function sseFrames(text: string): readonly SseFrame[] {
  if (text !== '' && !text.endsWith('\n\n')) throw new Error('The last event has no blank line.')
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
  return blocks.map((block) => {
    const match = FRAME.exec(block)
    if (!match) throw new Error(`This is no event: ${block.slice(0, 200)}`)
    const [, before, data = '', event = before] = match
    return event === undefined ? { data } : { event, data }
  })
}

// Other ends of lines than these may stand in a text. The name of an event may come after its data.
const FRAME = /^(?:id: [^\n]*\n)?(?:event: ([^\n]*)\n)?data: ([^\n]*)(?:\nevent: ([^\n]*))?$/
