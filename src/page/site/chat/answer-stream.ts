import { MessageReader, type UiMessage } from '../message/index.ts'
import { framesOf, type Reason } from '../server/index.ts'
import type { End } from './shown.ts'

const END = '[DONE]'
/** The code of an answer that was cut off because the server does not know the caller any more. */
const UNKNOWN = 'UNAUTHORIZED'

/** How a stream ended. */
export interface StreamEnd {
  /** The text of an error, if the answer failed. */
  readonly error?: string
  /** Whether the server said that the answer is over. Otherwise the connection was lost, or the caller's token ended. */
  readonly isWhole: boolean
  /** Whether the answer was stopped. */
  readonly isAborted: boolean
}

/**
 * Reads an answer as it comes. Views are told once for each frame of the screen at most: a model may write faster
 * than anybody can see.
 * @param before the answer that goes on, after an approval
 */
export async function readAnswer(
  response: Response,
  before: UiMessage | undefined,
  show: (message: UiMessage) => void,
): Promise<StreamEnd> {
  const reader = new MessageReader(before)
  const screen = new Screen(() => {
    if (reader.message) show(reader.message)
  })
  try {
    if (response.body) await readAll(response.body, reader, screen)
  } catch {
    // The connection was lost. The caller reads on in another.
  } finally {
    screen.end()
  }
  const { error, isEnded, isAborted } = reader
  // Reading on tells that the server knows the caller no more, and shows the answer to one who signs in.
  const isCut = error !== undefined && reasonIn(error).code === UNKNOWN
  return { isWhole: isEnded && !isCut, isAborted, ...(error === undefined ? {} : { error }) }
}

/** How the run of an answer ended. Undefined if it ended as it should. */
export function endIn({ error, isAborted }: StreamEnd): End | undefined {
  if (error !== undefined) return { status: 'failed', error: reasonIn(error) }
  return isAborted ? { status: 'aborted' } : undefined
}

/** Why an answer failed, as its stream tells it: a text, and the code in parentheses. */
export function reasonIn(told: string): Reason {
  const [, message = told, code = ''] = /^(.*) \(([A-Z_]+)\)$/s.exec(told) ?? []
  return { code, message }
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  reader: MessageReader,
  screen: Screen,
): Promise<void> {
  for await (const frame of framesOf(body)) {
    if (frame === END) return
    reader.add(parsed(frame))
    screen.ask()
  }
}

/** The chunk in a frame; undefined for a frame of another version, which is no JSON. */
function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined
  }
}

/** Calls a function at the next frame of the screen, once for all that asked until then. */
class Screen {
  readonly #draw: () => void
  #asked: number | undefined

  constructor(draw: () => void) {
    this.#draw = draw
  }

  ask(): void {
    this.#asked ??= requestAnimationFrame(() => {
      this.#asked = undefined
      this.#draw()
    })
  }

  /** Draws what was asked for and not drawn. A hidden page has no frames. */
  end(): void {
    if (this.#asked !== undefined) cancelAnimationFrame(this.#asked)
    this.#asked = undefined
    this.#draw()
  }
}
