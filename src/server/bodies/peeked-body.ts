import { clearImmediate, setImmediate } from 'node:timers'
/**
 * Returns the response with a body whose first bytes have been asked for, so that an error of the body that comes at once
 * is thrown here, before anything is sent. A body that is complete by then is one piece.
 * @param cut disconnects the client. It is called if the body fails later: what was sent must not look complete.
 */
export async function peeked(response: Response, cut: () => void): Promise<Response> {
  if (!response.body) return response
  const reader: Reader = response.body.getReader()
  const reads = [reader.read()]
  const first = await nowOrLater(reads[0])
  if (first && !first.done) {
    reads.push(reader.read())
    const second = await nowOrLater(reads[1])
    if (second?.done) return withBody(response, first.value)
  }
  return withBody(response, first?.done ? new Uint8Array() : rest(reader, reads, cut))
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
type Read = ReturnType<Reader['read']>

/** Returns what a read has brought within a turn of the event loop, or undefined. */
async function nowOrLater(read: Read | undefined): Promise<Awaited<Read> | undefined> {
  let turn: NodeJS.Immediate | undefined
  const later = new Promise<undefined>((resolve) => {
    turn = setImmediate(() => resolve(undefined))
  })
  try {
    return await Promise.race([read, later])
  } finally {
    clearImmediate(turn)
  }
}

function rest(reader: Reader, reads: Read[], cut: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await (reads.shift() ?? reader.read())
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          cut()
          controller.error(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function withBody(response: Response, body: Uint8Array<ArrayBuffer> | ReadableStream): Response {
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
