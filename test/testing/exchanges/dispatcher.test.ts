import { expect } from 'chai'
import { recordExchanges } from '../../../src/testing/index.ts'

const GLOBAL = Symbol.for('undici.globalDispatcher.1')

type Handler = { readonly [method: string]: (...given: readonly unknown[]) => unknown }

interface Seen {
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** A dispatcher in place of Node's, which lets a test tell a handler what it wants. */
class Dispatcher {
  seen: Seen | undefined
  readonly #tell: (handler: Handler) => void

  constructor(tell: (handler: Handler) => void) {
    this.#tell = tell
  }

  dispatch(request: Seen, handler: Handler): boolean {
    this.seen = request
    this.#tell(handler)
    return true
  }

  name(): string {
    return this.constructor.name
  }
}

describe('the recorder, on dispatchers', () => {
  let original: unknown
  before(() => {
    void globalThis.Headers
    original = Reflect.get(globalThis, GLOBAL)
  })
  afterEach(() => {
    Reflect.set(globalThis, GLOBAL, original)
  })

  const REQUEST = { origin: 'https://a.test', path: '/v1', method: 'POST', body: '{"q":1}' }

  /** What is recorded of a request whose handler is told something. */
  function recorded(tell: (handler: Handler) => void, request: object, handler: object) {
    const dispatcher = new Dispatcher(tell)
    Reflect.set(globalThis, GLOBAL, dispatcher)
    const recorder = recordExchanges()
    const observing = Reflect.get(globalThis, GLOBAL) as Dispatcher
    observing.dispatch({ ...REQUEST, ...request } as unknown as Seen, handler as Handler)
    recorder.stop()
    expect(Reflect.get(globalThis, GLOBAL)).to.equal(dispatcher)
    return { exchanges: recorder.exchanges(), seen: dispatcher.seen, observing }
  }

  it('hears handlers of both generations, which keep their own this', () => {
    class Either {
      readonly #heard: string[] = []
      readonly heard = this.#heard
      onHeaders = undefined
      onResponseStart(): void {
        this.#heard.push('start')
      }
      onResponseData(): void {
        this.#heard.push('data')
      }
      onResponseEnd(): void {
        this.#heard.push('end')
      }
    }
    const handler = new Either()
    const { exchanges } = recorded(
      (told) => {
        told['onResponseStart']?.({}, 200, { 'Content-Type': 'application/json' })
        told['onResponseData']?.({}, Buffer.from('{}'))
        told['onResponseEnd']?.({}, {})
      },
      { headers: ['Accept', 'text/plain'] },
      handler,
    )
    expect(handler.heard).to.deep.equal(['start', 'data', 'end'])
    expect(exchanges).to.deep.equal([
      {
        request: {
          method: 'POST',
          url: 'https://a.test/v1',
          headers: { accept: 'text/plain' },
          body: { q: 1 },
        },
        response: { status: 200, headers: { 'content-type': 'application/json' }, body: ['{}'] },
      },
    ])
  })

  it('reads headers as bytes, passes over informational responses, and copies pieces', () => {
    const piece = Buffer.from('one')
    const { exchanges } = recorded(
      (told) => {
        told['onHeaders']?.(103, [])
        told['onHeaders']?.(200, [Buffer.from('Retry-After'), Buffer.from('7')])
        told['onData']?.(piece)
        piece.fill('x')
        told['onComplete']?.()
      },
      { headers: new Map([['accept', 'a']]) },
      { onHeaders: () => true, onData: () => true, onComplete: () => undefined },
    )
    expect(exchanges[0]?.request.headers).to.deep.equal({ accept: 'a' })
    expect(exchanges[0]?.response).to.deep.equal({
      status: 200,
      headers: { 'retry-after': '7' },
      body: ['one'],
    })
  })

  it('asks for responses without compression, and leaves requests without an answer out', () => {
    const { exchanges, seen, observing } = recorded(
      () => undefined,
      { headers: { 'accept-encoding': 'br', 'X-Key': 'k' } },
      {},
    )
    expect(seen?.headers).to.deep.equal({ 'accept-encoding': 'identity', 'x-key': 'k' })
    expect(exchanges).to.deep.equal([])
    expect(observing.name()).to.equal('Dispatcher')
  })
})
