import type { Log } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { stylesOf } from '../terminal.ts'

export interface ChatLogs {
  /** Takes what Python plugins print and log. */
  readonly python: Log
  /** Takes the log of the host. Absent if it is not shown. */
  readonly host?: Log
}

/**
 * Prints log entries of a chat on standard error: warnings and errors of Python plugins, and with `isWhole` all that
 * plugins log and print. `makeRoom` ends the open output line.
 */
export function chatLogs(makeRoom: () => void, isWhole: boolean): ChatLogs {
  const { dim, red } = stylesOf(process.stderr)
  const write: Log = ({ level, message, plugin, stack }) => {
    makeRoom()
    const head = level === 'error' ? red(level) : dim(level)
    const source = plugin === undefined ? '' : `${plugin}: `
    const traced = typeof stack === 'string' ? `\n${stack.trimEnd()}` : ''
    process.stderr.write(`${head} ${visible(`${source}${message}${traced}`)}\n`)
  }
  const python: Log = (entry) => {
    if (isWhole || entry.level === 'warn' || entry.level === 'error') write(entry)
  }
  if (!isWhole) return { python }
  // Diagnostics have a code. The chat has told them.
  return { python, host: (entry) => void (entry['code'] === undefined && write(entry)) }
}
