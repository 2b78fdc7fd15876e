import { HostError } from '@braidwork/plugin'

/** What the Python side tells of an error. */
export interface PythonFault {
  readonly type?: string
  readonly message?: string
  readonly traceback?: string
  readonly code?: string
  readonly status?: number
  readonly retryable?: boolean
  readonly retry_after?: number
  readonly pointer?: string
  /** Which of several neighbours failed, and what the chunks before came to. */
  readonly stage?: number
  readonly done?: readonly unknown[]
  /** What it answered, where that is no answer. */
  readonly answer?: unknown
}

/** An error that was raised in Python: its type is the name, the plugin's own traceback the stack. */
export class PythonError extends Error {
  declare readonly code?: string
  declare readonly status?: number
  declare readonly retryable?: boolean
  declare readonly retryAfter?: number
  declare readonly pointer?: string

  /** All that was told of it. */
  readonly fault: PythonFault

  constructor(fault: PythonFault) {
    const { type = 'Exception', message = '', traceback = '' } = fault
    // A plugin that gives its error a code has written its message for people to read.
    super(fault.code === undefined ? withType(type, message) : message)
    this.fault = fault
    this.name = type
    this.stack = traceback
    const { code, status, retryable, retry_after: retryAfter, pointer } = fault
    Object.assign(this, defined({ code, status, retryable, retryAfter, pointer }))
  }
}

/** An interpreter that ended too often. */
export function keepsEnding(last: HostError, waitSeconds: number): HostError {
  const [first = ''] = last.message.split(';', 1)
  return new HostError(
    'PYTHON_CRASHED',
    `its Python interpreter ended too often and is not started again for ${waitSeconds} s. At last ${first}.`,
    { retryAfter: waitSeconds, cause: last },
  )
}

function withType(type: string, message: string): string {
  return message === '' ? type : `${type}: ${message}`
}

function defined(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
