import { Accumulator, type Message, type PartialEvent, type Provider } from '@braidwork/plugin'

export const ANSWERING = 'answering'

/** Something of each kind that a provider may say, its text in pieces that split words. */
const ANSWER: readonly PartialEvent[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'One mom' },
  { type: 'reasoning-delta', id: 'r', delta: 'ent.' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  ...['Hel', 'lo! Tea is h', 'ot, they s', 'ay.\n\nIs it', ' not?'].map(
    (delta): PartialEvent => ({ type: 'text-delta', id: 't', delta }),
  ),
  { type: 'text-end', id: 't' },
  { type: 'source', url: 'https://example.org/tea', title: 'Tea' },
  { type: 'metadata', metadata: { finishReason: 'stop', usage: { input: 12, output: 9 } } },
]

/** A provider for trying others beside it: it says the same to everybody, whole, or a piece at a time. */
export function answeringProvider(tags: readonly string[]): Provider {
  return {
    kind: 'provider',
    name: ANSWERING,
    getModels: () => ['any'],
    getTags: () => ['text', 'streaming', 'tools', ...tags],
    call: (native, state) => [[], whole(), native, state],
    async *stream(_native, _state, { signal }) {
      for (const event of ANSWER) {
        // Other requests have their turn between two pieces, as beside a real one.
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
        yield event
      }
    },
  }
}

function whole(): readonly Message[] {
  const answer = new Accumulator()
  for (const event of ANSWER) answer.add(event)
  return answer.messages()
}
