import { pairsOf } from './header-pairs.ts'
import type { Noted } from './noted.ts'

type Method = (...given: unknown[]) => unknown
type Methods = { readonly [method: string]: unknown }

/** For how long a response is read on that its reader has left, such as at the end mark of an API. */
const READ_ON_MS = 500

/** What the two generations of undici's handlers are told, by the names of their methods. */
const TOLD: { readonly [method: string]: (noted: Noted, given: readonly unknown[]) => void } = {
  onHeaders: (noted, [status, headers]) => begin(noted, status, headers),
  onResponseStart: (noted, [, status, headers]) => begin(noted, status, headers),
  onData: ({ received }, [piece]) => received.push(Buffer.from(piece as Uint8Array)),
  onResponseData: ({ received }, [, piece]) => received.push(Buffer.from(piece as Uint8Array)),
  onComplete: (noted) => end(noted),
  onResponseEnd: (noted) => end(noted),
}

function begin(noted: Noted, status: unknown, headers: unknown): void {
  noted.status = Number(status)
  noted.responseHeaders = new Map(pairsOf(headers))
}

function end(noted: Noted): void {
  noted.isEnded = true
}

/** A handler that notes what it is told, and goes on noting for a while when its reader has left. */
export function watched(handler: object, noted: Noted): object {
  const reading = new Reading(handler as Methods, noted)
  return new Proxy(handler, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        if (typeof name === 'string' && Object.hasOwn(TOLD, name)) TOLD[name]?.(noted, given)
        return reading.tell(String(name), member as Method, given)
      }
    },
  })
}

/** The reading of one response, by its reader and then by the recorder alone. */
class Reading {
  readonly #handler: Methods
  readonly #noted: Noted
  #resume: () => void = () => undefined
  #isLeft = false
  #end: () => void = () => undefined

  constructor(handler: Methods, noted: Noted) {
    this.#handler = handler
    this.#noted = noted
  }

  tell(name: string, member: Method, given: unknown[]): unknown {
    if (this.#isLeft) return this.#tellNobody(name)
    const [first] = given
    if (name === 'onConnect' && typeof first === 'function') {
      const abort = (reason: unknown) => this.#leave(reason, () => (first as Method)(reason))
      return member.call(this.#handler, abort, ...given.slice(1))
    }
    if (name === 'onHeaders' && typeof given[2] === 'function')
      this.#resume = given[2] as () => void
    return member.apply(this.#handler, given)
  }

  /** True keeps the pieces coming. */
  #tellNobody(name: string): boolean {
    if (name === 'onComplete' || name === 'onError') this.#end()
    return true
  }

  /** Tells the reader at once that its request has ended, as undici does. */
  #leave(reason: unknown, abort: () => void): void {
    const { status, isEnded } = this.#noted
    if (this.#isLeft || isEnded || status < 200) {
      abort()
      return
    }
    this.#isLeft = true
    this.#noted.readOn = new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve()
        abort()
      }, READ_ON_MS)
      const end = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#end = end
    })
    const { onError } = this.#handler
    const error = reason ?? new DOMException('The operation was aborted.', 'AbortError')
    if (typeof onError === 'function') (onError as Method).call(this.#handler, error)
    this.#resume()
  }
}
