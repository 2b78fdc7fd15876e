import type { Log } from '@braidwork/plugin'
import { pino } from 'pino'
import { escapedJson } from './characters.ts'
import { LogOutput, type LogOutputOptions } from './log-output.ts'

/**
 * A log that writes JSON lines to standard error: errors at once, other lines a little later, and the rest before the
 * process exits. Lines that cannot be written are kept for a while, then counted.
 */
export function serverLog(options: Pick<LogOutputOptions, 'write'> = {}): Log {
  const output = new LogOutput({
    ...options,
    onLost: (lost, reason) => lines.warn({ lost, reason }, lostText(lost)),
  })
  const escaping = { write: (line: string) => output.add(escapedJson(line)) }
  const lines = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaping)
  process.on('exit', () => output.flushLast())
  return ({ level, message, ...facts }) => {
    lines[level](facts, message)
    if (level === 'error') output.flush()
  }
}

function lostText(lines: number): string {
  return `${lines} lines of the log are lost, because standard error could not be written to.`
}
