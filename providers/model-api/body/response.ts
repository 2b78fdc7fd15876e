import type { IncomingHttpHeaders } from 'node:http'
import type { Body } from './body.ts'
import { decoded } from './decode.ts'
import { ReadHeaders } from './read-headers.ts'

/** A server's answer with its body unread. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

/** The bodies behind responses. They are read directly, since web streams cost more than all other work on a chunk. */
const bodies = new WeakMap<Response, Body>()

/** The body of a response. Nobody else may read it. */
export function bodyOf(response: Response): Body {
  return bodies.get(response) ?? webBody(response)
}

/** The text of a whole body; `undefined` if it has more bytes than allowed. Nobody else may read it. */
export async function textOf(
  response: Response,
  most = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const body = bodyOf(response)
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let { done, value } = await body.read(); !done; { done, value } = await body.read()) {
    size += value?.length ?? 0
    if (size > most) {
      body.close()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

function webBody(response: Response): Body {
  const reader = response.body?.getReader()
  return {
    read: async () => (await reader?.read()) ?? { done: true },
    // Cancelling a body that has already failed rejects; that is ignored.
    close: () => void reader?.cancel().catch(() => undefined),
  }
}

/** Converts an answer to a response that SDKs and `bodyOf` accept. */
export function responseOf(answer: Answer): Response {
  const body = decoded(answer.body, answer.headers['content-encoding'] ?? '')
  const isGood = answer.status >= 200 && answer.status < 300
  const response = isGood ? (new GoodResponse(answer) as unknown as Response) : failed(answer, body)
  bodies.set(response, body)
  return response
}

/** The members of `Response` that SDKs use when the status is good. A real `Response` costs more than sending. */
class GoodResponse {
  readonly ok = true
  readonly body = null
  readonly url = ''
  readonly status: number
  readonly headers: ReadHeaders

  constructor({ status, headers }: Answer) {
    this.status = status
    this.headers = new ReadHeaders(headers)
  }
}

/** A real response for an error status. SDKs read its body. */
function failed({ status, headers }: Answer, body: Body): Response {
  try {
    const said = new Headers([...new ReadHeaders(headers)])
    return new Response(status === 304 ? null : streamOf(body), { status, headers: said })
  } catch (error) {
    // `Response` does not accept this status.
    body.close()
    throw error
  }
}

/** The body as a web stream, for code that treats the answer as a `Response`. */
function streamOf(body: Body): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await body.read()
        if (value) controller.enqueue(value)
        if (done) controller.close()
      },
      cancel: () => body.close(),
    },
    { highWaterMark: 0 },
  )
}
