import { HostError } from '@braidwork/plugin'

/** The Python side's report of an error. */
export interface PythonFault {
  readonly type?: string
  readonly message?: string
  readonly traceback?: string
  readonly code?: string
  readonly status?: number
  readonly retryable?: boolean
  readonly retry_after?: number
  readonly pointer?: string
  /** The index of the joined stage that failed, and the results of the chunks before. */
  readonly stage?: number
  /** The index of the stage before it whose answer has a value that is no event, if there is one. */
  readonly stray?: number
  readonly done?: readonly unknown[]
  /** The hook's result, if the result is invalid. */
  readonly answer?: unknown
}

/** An error raised in Python. Its name is the Python type, and its stack is the plugin's traceback. */
export class PythonError extends Error {
  declare readonly code?: string
  declare readonly status?: number
  declare readonly retryable?: boolean
  declare readonly retryAfter?: number
  declare readonly pointer?: string

  /** The full report. */
  readonly fault: PythonFault

  constructor(fault: PythonFault) {
    const { type = 'Exception', message = '', traceback = '' } = fault
    // An error with a code has a message meant for people, so the type is not prepended.
    super(fault.code === undefined ? withType(type, message) : message)
    this.fault = fault
    this.name = type
    this.stack = traceback
    const { code, status, retryable, retry_after: retryAfter, pointer } = fault
    Object.assign(this, defined({ code, status, retryable, retryAfter, pointer }))
  }
}

/** The error for an interpreter that ended too often. */
export function keepsEnding(last: HostError, waitSeconds: number): HostError {
  const [first = ''] = last.message.split(';', 1)
  return new HostError(
    'PYTHON_CRASHED',
    `the Python interpreter ended too often and is not restarted for ${waitSeconds} s. The last time, ${first}.`,
    { retryable: true, retryAfter: waitSeconds, cause: last },
  )
}

function withType(type: string, message: string): string {
  return message === '' ? type : `${type}: ${message}`
}

function defined(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
