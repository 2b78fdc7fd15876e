/** A fault in JSON that was sent. */
export interface Fault {
  /** JSON pointer to the value. */
  readonly pointer: string
  readonly message: string
}

/** An answer of the server that is an error, or no answer. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
  /** The HTTP status; 0 where the server did not answer. */
  readonly status: number
  /**
   * The code of the error, such as `CONVERSATION_BUSY`; `OFFLINE` where the server did not answer, `ANSWER_UNKNOWN`
   * where its answer is none that the page knows.
   */
  readonly code: string
  /** What is wrong with the JSON that was sent, if the server names places in it. */
  readonly faults: readonly Fault[]
  /** JSON pointer to what is wrong, if the server names one place. */
  readonly pointer: string | undefined
  /** After how many seconds the server wants it to be tried again, if it says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, more: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.faults = more.faults ?? []
    this.pointer = more.pointer
    this.retryAfter = more.retryAfter
  }

  /** The error in a response. */
  static async of(response: Response): Promise<ServerError> {
    const text = await response.text().catch(() => '')
    const { code, message, faults, pointer } = readError(text)
    const retryAfter = secondsIn(response.headers.get('retry-after'))
    const details = { faults, pointer, retryAfter }
    return new ServerError(response.status, code, message || named(response), details)
  }
}

interface ErrorDetails {
  readonly faults?: readonly Fault[]
  readonly pointer?: string | undefined
  readonly retryAfter?: number | undefined
}

/** The error of an upload. */
export class UploadError extends ServerError {
  /** The name of the file. */
  readonly file: string

  constructor(error: ServerError, file: string) {
    super(error.status, error.code, error.message, error)
    this.file = file
  }
}

/** The error of a request that got no answer. */
export function offline(thrown: unknown): ServerError {
  return new ServerError(0, 'OFFLINE', thrown instanceof Error ? thrown.message : String(thrown))
}

/** The error of a response that a server of this version does not send. */
export function unknownAnswer(response: Response): ServerError {
  return new ServerError(response.status, 'ANSWER_UNKNOWN', named(response))
}

/** A proxy may name a date, which is none of the seconds that the server sends. */
function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}

function named({ status, statusText }: Response): string {
  return `${status} ${statusText}`.trimEnd()
}

function readError(text: string): Pick<ServerError, 'code' | 'message' | 'faults' | 'pointer'> {
  try {
    const { error, code, message } = JSON.parse(text) as ErrorBody
    const inner: ErrorText = typeof error === 'object' && error !== null ? error : { code, message }
    const faults = Array.isArray(inner.faults) ? inner.faults : []
    const pointer = typeof inner.pointer === 'string' ? inner.pointer : undefined
    return { code: inner.code ?? 'UNKNOWN', message: inner.message ?? '', faults, pointer }
  } catch {
    // A page of HTML is for no reader of one line.
    const message = text.startsWith('<') ? '' : text.slice(0, 200)
    return { code: 'UNKNOWN', message, faults: [], pointer: undefined }
  }
}

interface ErrorText {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly faults?: readonly Fault[]
  readonly pointer?: unknown
}

interface ErrorBody extends ErrorText {
  readonly error?: ErrorText | string
}
