import type { Log } from '@braidwork/plugin'
import { pino } from 'pino'
import { escapedJson } from './characters.ts'

/**
 * Log lines are written together, up to so many characters or milliseconds, because a write of its own for each line
 * costs more than all else about it. Errors are written at once, and the process writes the rest before it exits.
 */
const LOG_WRITES = { minLength: 8192, periodicFlush: 100 }

/** A log that writes JSON lines to standard error. */
export function serverLog(): Log {
  const output = pino.destination({ dest: 2, ...LOG_WRITES })
  const escaping = { write: (line: string) => void output.write(escapedJson(line)) }
  const lines = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaping)
  return ({ level, message, ...facts }) => {
    lines[level](facts, message)
    if (level === 'error') output.flush()
  }
}
