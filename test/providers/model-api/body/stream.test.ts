import { expect } from 'chai'
import { closeable, type ReadingOptions } from '../../../../providers/model-api/body/stream.ts'
import { sampled } from '../../../helpers/cases.ts'
import { collectUntil } from '../../../helpers/garbage.ts'
import { MemoryHost } from '../../../hostile/answers.ts'
import { PLACES, toldAsStream } from '../../../hostile/built-answers.ts'

const TOLD = { text: 'Hi', id: 'call_1', name: 'weather', args: '{}' }

describe('what a stream leaves behind', () => {
  const alive = (signals: readonly WeakRef<AbortSignal>[]) =>
    signals.filter((signal) => signal.deref() !== undefined).length

  for (const place of sampled(PLACES.slice(0, 3).concat(PLACES.slice(-1)), 2)) {
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
    const counting = (fault?: Error) => closeable(outer.signal, reading([1, 2], { fault }))
    for await (const _ of counting()) expect(listeners()).to.equal(1)
    expect(listeners(), 'after its end').to.equal(0)
    for await (const _ of counting()) break
    expect(listeners(), 'after it was left').to.equal(0)
    await drain(counting(new Error('it broke'))).catch(() => undefined)
    expect(listeners(), 'after it failed').to.equal(0)
    const refused = { ...reading([]), open: () => Promise.reject(new Error('refused')) }
    await drain(closeable(outer.signal, refused)).catch(() => undefined)
    expect(listeners(), 'after it could not begin').to.equal(0)
  })

  it('is aborted with the reason of its caller, and when it is left', async () => {
    const outer = new AbortController()
    const seen: AbortSignal[] = []
    const open = () =>
      closeable(outer.signal, reading([1], { onOpen: (signal) => seen.push(signal) }))
    for await (const _ of open()) break
    expect(seen[0]?.aborted).to.equal(true)
    for await (const _ of open()) outer.abort('enough')
    expect(seen[1]).to.include({ aborted: true, reason: 'enough' })
    for await (const _ of open()) expect(seen[2]).to.include({ aborted: true, reason: 'enough' })
  })

  it('is nothing open: what it reads from is closed at its end, on an error, and when it is left in a wait', async () => {
    const { signal } = new AbortController()
    let closed = 0
    const onClose = () => closed++
    await drain(closeable(signal, reading([1], { onClose })))
    expect(closed, 'at its end').to.equal(1)
    const failing = closeable(signal, reading([1], { onClose, fault: new Error('it broke') }))
    const failure: unknown = await drain(failing).catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'told: it broke')
    expect(closed, 'after it failed').to.equal(2)
    const waiting = closeable(signal, reading([], { onClose, isEndless: true }))
    const values = waiting[Symbol.asyncIterator]()
    void values.next()
    await Promise.resolve()
    expect(await values.return?.()).to.deep.equal({ value: undefined, done: true })
    expect(closed, 'in a wait').to.equal(3)
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const options = reading([], { onClose })
    const late = closeable(signal, {
      ...options,
      open: (own) => opened.then(() => options.open(own)),
    })[Symbol.asyncIterator]()
    const first = late.next()
    await late.return?.()
    open()
    expect(await first).to.deep.equal({ value: undefined, done: true })
    expect(closed, 'before it was open').to.equal(4)
  })
})

interface Told {
  readonly fault?: Error | undefined
  readonly isEndless?: boolean
  readonly onOpen?: (signal: AbortSignal) => void
  readonly onClose?: () => void
}

/** What is read number by number, then fails where it is told to, waits for ever, or ends. */
function reading(numbers: readonly number[], told: Told = {}): ReadingOptions<number> {
  const { fault, isEndless = false, onOpen, onClose } = told
  const left = [...numbers]
  const next = async (): Promise<number | undefined> => {
    const value = left.shift()
    if (value === undefined && fault) throw fault
    return value === undefined && isEndless ? new Promise(() => undefined) : value
  }
  return {
    open: async (signal) => {
      onOpen?.(signal)
      return { next, close: () => onClose?.() }
    },
    toError: (error) => new Error(`told: ${error instanceof Error ? error.message : error}`),
  }
}

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
