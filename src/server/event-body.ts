import type { RunEvent } from '../events/index.ts'
import type { StreamEncoder } from '../wire/protocol.ts'
import { KEEP_ALIVE } from '../wire/sse.ts'

export interface EventBodyOptions {
  /** Milliseconds without an event after which a comment says that the stream lives. */
  readonly heartbeat: number
  /** Called when nobody reads any more. */
  readonly onCancel: () => void
  /** What the reader is told where the log itself fails. */
  readonly onError: (error: unknown) => string
}

type Page = IteratorResult<readonly RunEvent[], void>

/** Events as the body of a response: pulled as fast as the client reads, and no faster. */
export function eventBody(
  pages: AsyncIterator<readonly RunEvent[], void>,
  encoder: StreamEncoder,
  { heartbeat, onCancel, onError }: EventBodyOptions,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder()
  let next: Promise<Page> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            next ??= pages.next()
            const page = await withHeartbeat(next, heartbeat)
            if (page === undefined) return controller.enqueue(bytes.encode(KEEP_ALIVE))
            next = undefined
            if (page.done) return controller.close()
            const text = encodeAll(encoder, page.value)
            if (text !== '') return controller.enqueue(bytes.encode(text))
          }
        } catch (error) {
          controller.enqueue(bytes.encode(onError(error)))
          controller.close()
        }
      },
      async cancel() {
        onCancel()
        await pages.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

function encodeAll(encoder: StreamEncoder, events: readonly RunEvent[]): string {
  let text = ''
  for (const event of events) text += encoder.encode(event)
  return text
}

/** What a promise comes to, or nothing after so many milliseconds without it. */
async function withHeartbeat<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
