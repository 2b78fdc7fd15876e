import type { Body } from '../body/body.ts'
import { patiently } from '../body/patience.ts'
import { bodyOf } from '../body/response.ts'
import { retryAfterIn } from '../errors.ts'
import type { Fetch } from './transport.ts'

/** The maximum number of bytes read from an error body. The message is at its beginning. */
const MOST_BYTES = 1024 * 1024
/** Milliseconds in which the error body must be read. */
const MOST_TIME = 10_000

/** Request options in addition to those of `fetch`. The SDK passes them through. */
export interface Patience {
  /** The maximum delay in seconds that a server may ask for, over all attempts together. */
  readonly longestWait?: number | undefined
  /** How many attempts there were before this one; by default, the header of the SDK says it. */
  readonly retries?: number | undefined
}

/** Responses in place of requests that were aborted before there was one. */
const UNANSWERED = new WeakSet<Response>()

function unanswered(): Response {
  const response = new Response(null, { status: 204 })
  UNANSWERED.add(response)
  return response
}

/** Whether a response stands for a request that was aborted, by its signal or after its time, before it was answered. */
export function isUnanswered(response: Response): boolean {
  return UNANSWERED.has(response)
}

/**
 * A `fetch` whose error responses are safe for an SDK: their bodies always end, and a header tells the SDK not to retry
 * when the delay would be too long. An aborted request has a response too, since an SDK would repeat it after a timeout:
 * a server that loads its model would begin anew.
 */
export function refusing(send: Fetch): Fetch {
  return async (input, init = {}) => {
    const { longestWait, retries, ...request } = init as RequestInit & Patience
    const response = await send(input, request).catch((error: unknown) => {
      if (!request.signal?.aborted) throw error
      return unanswered()
    })
    return response.ok ? response : refusalOf(response, { request, longestWait, retries })
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

/** Guards the retry delay: an SDK would wait as long as the server asks, or not at all if the header is malformed. */
function setWait(headers: Headers, { request, longestWait, retries }: Asked): void {
  const seconds = retryAfterIn(headers)
  if (seconds === undefined) {
    headers.delete('retry-after')
    headers.delete('retry-after-ms')
    return
  }
  const before = retries ?? Number(new Headers(request.headers).get('x-stainless-retry-count') ?? 0)
  const attempts = before + 1
  const isTooLong = longestWait !== undefined && seconds * attempts > longestWait
  if (isTooLong) headers.set('x-should-retry', 'false')
}

/** The beginning of an error body, limited in size and time. */
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
