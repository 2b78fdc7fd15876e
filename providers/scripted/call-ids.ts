import type { NativeMessage } from './native.ts'

/** Ids for the calls of an answer: numbered through the transcript, the same each time. */
export function callIds(messages: readonly NativeMessage[]): () => string {
  const taken = new Set(
    messages.flatMap(({ content }) => content.map((part) => ('id' in part ? part.id : ''))),
  )
  const calls = messages.flatMap(({ content }) =>
    content.filter(({ type }) => type === 'tool_call'),
  )
  let number = calls.length
  return () => {
    do number++
    while (taken.has(`call_${number}`))
    return `call_${number}`
  }
}
