import type { Log } from '@braidwork/plugin'
import type { Message } from './pythonia.ts'

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const

type Entry = Parameters<Log>[0]

/**
 * The log entry for a record of Python's `logging`, or for an exception that ended a thread. Where there is an
 * exception, the message ends with its traceback, `error` is its class, and `place` where it was raised.
 */
export function recordOf({ l: said, d: message, n, p, x, w }: Message): Entry {
  const level = LEVELS.find((known) => known === said) ?? 'info'
  const facts = Object.entries({ plugin: p, error: x, place: w })
  const known = Object.fromEntries(facts.filter(([, value]) => typeof value === 'string'))
  return { level, message: String(message), ...known, logger: String(n), from: 'python' }
}

/** How the shim begins the line by which it ends an interpreter that a plugin has broken; see vitals.py. */
const BROKEN = 'a plugin has broken this interpreter: '

/** Whether a line on standard error is the one by which the shim ends the interpreter. */
export function isBroken(line: string): boolean {
  return line.startsWith(BROKEN)
}

/** The log entry for a line that a plugin printed, or the shim before it ends the interpreter. */
export function lineOf(message: string, isError: boolean): Entry {
  if (isError && isBroken(message))
    return { level: 'error', message, code: 'PYTHON_CRASHED', from: 'python' }
  return { level: isError ? 'warn' : 'info', message, from: 'python' }
}
