import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export interface Piece {
  readonly done?: boolean | undefined
  readonly value?: Uint8Array | undefined
}

/** A body, read piece by piece until it is let go of. */
export interface Body {
  read(): Promise<Piece>
  /** Does not wait for anything. */
  close(): void
}

/** Bodies that need no web stream to be read: it costs more than the rest of a chunk's way. */
const bodies = new WeakMap<Response, Body>()

/** The body of a response, of which nobody else reads. */
export function bodyOf(response: Response): Body {
  return bodies.get(response) ?? webBody(response)
}

export async function textOf(response: Response): Promise<string> {
  const body = bodyOf(response)
  const pieces: Uint8Array[] = []
  for (;;) {
    const { done, value } = await body.read()
    if (done) return new TextDecoder().decode(Buffer.concat(pieces))
    if (value) pieces.push(value)
  }
}

function webBody(response: Response): Body {
  const reader = response.body?.getReader()
  return {
    read: async () => (await reader?.read()) ?? { done: true },
    close: () => void reader?.cancel().catch(() => undefined),
  }
}

/** What Node's client was answered, as a `Response`. */
export function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0 } = incoming
  const response = new Response(null, { status, headers: headersOf(incoming) })
  const isEmpty = status === 204 || status === 205 || status === 304
  bodies.set(response, nodeBody(incoming))
  return isEmpty ? response : Object.defineProperties(response, WEB_MEMBERS)
}

const webResponses = new WeakMap<Response, Response>()

/** The same with its body as a web stream, which is made when it is asked for: it costs more than all else of it. */
function asWeb(response: Response): Response {
  const known = webResponses.get(response)
  if (known) return known
  const { status, headers } = response
  const web = new Response(streamOf(bodyOf(response)), { status, headers })
  webResponses.set(response, web)
  return web
}

type Reader = 'text' | 'json' | 'arrayBuffer' | 'blob' | 'formData' | 'clone'

function reader(name: Reader): PropertyDescriptor {
  return {
    value(this: Response) {
      return asWeb(this)[name]()
    },
  }
}

/** What of a response reads its body. https://fetch.spec.whatwg.org/#body-mixin */
const WEB_MEMBERS: PropertyDescriptorMap = {
  body: {
    get(this: Response) {
      return asWeb(this).body
    },
  },
  bodyUsed: {
    get(this: Response) {
      return webResponses.get(this)?.bodyUsed ?? false
    },
  },
  text: reader('text'),
  json: reader('json'),
  arrayBuffer: reader('arrayBuffer'),
  blob: reader('blob'),
  formData: reader('formData'),
  clone: reader('clone'),
}

function nodeBody(incoming: IncomingMessage): Body {
  const source = decoded(incoming)
  const pieces: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]()
  return {
    read: () => pieces.next(),
    close: () => {
      // Where all of the answer is there, its connection is kept for the next request.
      if (incoming.complete && source === incoming) while (incoming.read() !== null);
      else source.destroy()
    },
  }
}

/** For whoever reads a response as one; until then nothing is read. */
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

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** A body without its codings, the last of which was put on last. */
function decoded(incoming: IncomingMessage): Readable {
  const codings = (incoming.headers['content-encoding'] ?? '').toLowerCase().split(',')
  const decoders = codings.flatMap((coding) => DECODERS.get(coding.trim()) ?? []).reverse()
  return decoders.reduce<Readable>(
    // What breaks one of them breaks the last, which is read.
    (source, decoder) => pipeline(source, decoder(), () => undefined),
    incoming,
  )
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  }
  return headers
}
