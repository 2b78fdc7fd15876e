import { expect } from 'chai'
import { closeable } from '../../../providers/model-api/stream.ts'
import { collectUntil } from '../../helpers/garbage.ts'
import { MemoryHost } from '../../hostile/answers.ts'
import { PLACES, toldAsStream } from '../../hostile/built-answers.ts'

const TOLD = { text: 'Hi', id: 'call_1', name: 'weather', args: '{}' }

describe('what a stream leaves behind', () => {
  const alive = (signals: readonly WeakRef<AbortSignal>[]) =>
    signals.filter((signal) => signal.deref() !== undefined).length

  for (const place of PLACES.slice(0, 3).concat(PLACES.slice(-1))) {
    it(`is no signal, once it has ended (${place.provider}, ${place.api})`, async () => {
      const signals: WeakRef<AbortSignal>[] = []
      const memory = await MemoryHost.start((signal) => signals.push(new WeakRef(signal)))
      for (let count = 0; count < 20; count++) {
        const { status } = await memory.stream(place, toldAsStream(place.api, TOLD))
        expect(status).to.equal('done')
      }
      await collectUntil(() => alive(signals) < 5)
      expect(signals).to.have.length(20)
      expect(alive(signals)).to.be.below(5)
      await memory.close()
    })
  }

  it('is no listener at the signal of its caller, however it ends', async () => {
    const outer = new AbortController()
    const listeners = listenersOf(outer.signal)
    const counting = () =>
      closeable(outer.signal, async function* () {
        yield 1
        yield 2
      })
    for await (const _ of counting()) expect(listeners()).to.equal(1)
    expect(listeners(), 'after its end').to.equal(0)
    for await (const _ of counting()) break
    expect(listeners(), 'after it was left').to.equal(0)
    const failing = closeable(outer.signal, async function* () {
      yield 1
      throw new Error('it broke')
    })
    await drain(failing).catch(() => undefined)
    expect(listeners(), 'after it failed').to.equal(0)
  })

  it('is aborted with the reason of its caller, and when it is left', async () => {
    const outer = new AbortController()
    const seen: AbortSignal[] = []
    const open = () =>
      closeable(outer.signal, async function* (signal) {
        seen.push(signal)
        yield 1
      })
    for await (const _ of open()) break
    expect(seen[0]?.aborted).to.equal(true)
    for await (const _ of open()) outer.abort('enough')
    expect(seen[1]).to.include({ aborted: true, reason: 'enough' })
    for await (const _ of open()) expect(seen[2]).to.include({ aborted: true, reason: 'enough' })
  })
})

async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

/** Counts the listeners of a signal from now on. */
function listenersOf(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1])
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1])
    removeEventListener.apply(signal, args)
  }
  return () => listeners.size
}
