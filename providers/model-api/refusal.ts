import type { Body } from './body.ts'
import { retryAfterIn } from './errors.ts'
import { patiently } from './patience.ts'
import { bodyOf } from './response.ts'
import type { Fetch } from './transport.ts'

/** Bytes of the body of an error that are read: what is wrong stands at its beginning. */
const MOST_BYTES = 1024 * 1024
/** Milliseconds in which they are read. */
const MOST_TIME = 10_000

/** What a request's options say beside those of `fetch`; an SDK hands them on. */
export interface Patience {
  /** Seconds that the server may ask to wait before it is asked again, all attempts taken together. */
  readonly longestWait?: number | undefined
}

/**
 * A `fetch` whose answers that are errors an SDK can do with as it likes: their bodies end, and a wait that is
 * too long for it to try again says so in its own header.
 */
export function refusing(send: Fetch): Fetch {
  return async (input, init = {}) => {
    const { longestWait, ...request } = init as RequestInit & Patience
    const response = await send(input, request)
    return response.ok ? response : refusalOf(response, { request, longestWait })
  }
}

interface Asked extends Patience {
  readonly request: RequestInit
}

function refusalOf(response: Response, asked: Asked): Response {
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  setWait(headers, asked)
  const body = status === 304 ? null : beginningOf(bodyOf(response))
  return new Response(body, { status, statusText, headers })
}

/** SDKs wait as long as they are told to, and at once where what they are told is no time. */
function setWait(headers: Headers, { request, longestWait }: Asked): void {
  const seconds = retryAfterIn(headers)
  if (seconds === undefined) {
    headers.delete('retry-after')
    headers.delete('retry-after-ms')
    return
  }
  const attempts = Number(new Headers(request.headers).get('x-stainless-retry-count') ?? 0) + 1
  const isTooLong = longestWait !== undefined && seconds * attempts > longestWait
  if (isTooLong) headers.set('x-should-retry', 'false')
}

/** The body of an error: as much as tells what is wrong, and soon. */
function beginningOf(body: Body): ReadableStream<Uint8Array> {
  const until = performance.now() + MOST_TIME
  let left = MOST_BYTES
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await patiently(body.read(), until)
        if (value) controller.enqueue(value.subarray(0, left))
        left -= value?.length ?? 0
        if (!done && left > 0) return
        controller.close()
        body.close()
      },
      cancel: () => body.close(),
    },
    { highWaterMark: 0 },
  )
}
