import { Accumulator, type Message, type PartialEvent, type Provider } from '@braidwork/plugin'

export const ANSWERING = 'answering'

/** An answer with a part of each kind that a provider may send. The text is split within words. */
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

/** A provider for testing other plugins. It gives everyone the same answer, whole or piece by piece. */
export function answeringProvider(tags: readonly string[]): Provider {
  return {
    kind: 'provider',
    name: ANSWERING,
    getModels: () => ['any'],
    getTags: () => ['text', 'streaming', 'tools', ...tags],
    call: (native, state) => [[], whole(), native, state],
    async *stream(_native, _state, { signal }) {
      for (const event of ANSWER) {
        // Yields to other requests between two pieces, as a real provider does.
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
