import { expect } from 'chai'
import { createHost } from '../../../src/core/index.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

/** Waits until the signal aborts. */
const cancelled = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true })
  })

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A generator that cleans up in several turns of the event loop, and notes it. */
async function* working(signal: AbortSignal, notes: string[]) {
  try {
    yield 'working'
    await cancelled(signal)
  } finally {
    notes.push('cleans up')
    for (let at = 0; at < 5; at++) await turn()
    notes.push('is clean')
  }
}

const ORDER = ['cleans up', 'is clean', 'close', 'the host is closed']

describe('a host that closes while a plugin works', () => {
  let notes: string[]
  beforeEach(() => {
    notes = []
  })

  it('closes a provider when its stream has cleaned up', async () => {
    const provider = {
      kind: 'provider' as const,
      name: 'p',
      stream: (_native: unknown, _state: object, { signal }: { signal: AbortSignal }) =>
        working(signal, notes),
      close: () => void notes.push('close'),
    }
    const host = await createHost({ plugins: [provider] })
    for await (const { type } of host.stream({}, 'hi')) {
      if (type !== 'text-delta') continue
      const closed = host.close()
      await closed
      notes.push('the host is closed')
    }
    expect(notes).to.deep.equal(ORDER)
  })

  it('closes a tool when its generator has cleaned up', async () => {
    const slow = tool('slow', {
      getToolSchemas: () => [schema('slow')],
      executeTool: (_call: unknown, _state: unknown, { signal }: { signal: AbortSignal }) =>
        working(signal, notes),
      close: () => void notes.push('close'),
    })
    const host = await createHost({ plugins: [textProvider(), slow] })
    const opened = await host.open({})
    const call = { callId: 'c', name: 'slow', input: {} }
    let outcome: Promise<unknown> | undefined
    await new Promise<unknown>((resolve) => {
      outcome = opened.execute(call, { onProgress: resolve })
    })
    await host.close()
    notes.push('the host is closed')
    await outcome
    expect(notes).to.deep.equal(ORDER)
  })

  it('does not wait longer than limits.hook for a stream that hangs', async () => {
    const provider = {
      kind: 'provider' as const,
      name: 'p',
      async *stream() {
        yield 'a'
        await new Promise(() => undefined)
      },
      close: () => void notes.push('close'),
    }
    const host = await createHost({ plugins: [provider], config: { limits: { hook: 0.05 } } })
    for await (const { type } of host.stream({}, 'hi')) {
      if (type === 'text-delta') await host.close()
    }
    expect(notes).to.deep.equal(['close'])
  })
})
