import type { NativeMessage } from './native.ts'

/** Returns a generator of call ids, numbered through the transcript: the same transcript gives the same ids. */
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
