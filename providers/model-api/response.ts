import type { IncomingHttpHeaders } from 'node:http'
import type { Body } from './body.ts'
import { decoded } from './decode.ts'
import { ReadHeaders } from './read-headers.ts'

/** What a server answered; nothing of its body was read. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

/** Bodies that need no web stream to be read: it costs more than the rest of a chunk's way. */
const bodies = new WeakMap<Response, Body>()

/** The body of a response, of which nobody else reads. */
export function bodyOf(response: Response): Body {
  return bodies.get(response) ?? webBody(response)
}

/** The text of a whole body, of which nobody else reads; nothing of one that has more bytes than may be. */
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
    // A body that has failed already is let go of.
    close: () => void reader?.cancel().catch(() => undefined),
  }
}

/** An answer for an SDK, and for `bodyOf`. */
export function responseOf(answer: Answer): Response {
  const body = decoded(answer.body, answer.headers['content-encoding'] ?? '')
  const isGood = answer.status >= 200 && answer.status < 300
  const response = isGood ? (new GoodResponse(answer) as unknown as Response) : failed(answer, body)
  bodies.set(response, body)
  return response
}

/** What SDKs look at of an answer that is good, whose body they leave alone. A `Response` costs more than sending. */
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

/** One that is not, which SDKs read themselves. */
function failed({ status, headers }: Answer, body: Body): Response {
  try {
    const said = new Headers([...new ReadHeaders(headers)])
    return new Response(status === 304 ? null : streamOf(body), { status, headers: said })
  } catch (error) {
    // A status that no response has.
    body.close()
    throw error
  }
}

/** For whoever reads a response as one. */
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
