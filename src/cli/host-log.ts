import type { Log } from '@braidwork/plugin'

type Entry = Parameters<Log>[0]

/** How a traceback begins in a record of Python's `logging`. The last line of one quotes the exception. */
const TRACEBACK = 'Traceback (most recent call last):'

/**
 * The log of the host of a server. Without `log_content` it has nothing that plugins print, no records of Python's
 * `logging` below a warning, and no words of errors: all of them may quote a request.
 */
export function hostLog(log: Log, logsContent: boolean): Log {
  if (logsContent) return log
  let isTold = false
  return (entry) => {
    const shown = withoutContent(entry)
    if (shown) log(shown)
    else if (!isTold) {
      isTold = true
      log({
        level: 'info',
        message: 'Python plugins print texts, which the log has only with "server.log_content".',
      })
    }
  }
}

function withoutContent(entry: Entry): Entry | undefined {
  const { stack: _, ...facts } = entry
  if (entry['from'] === 'python') return ofPython(entry)
  return isToolFailure(entry) ? { ...facts, message: failureText(entry) } : entry
}

/** Notices of the host itself have a code. Records have the name of their logger, and printed lines have neither. */
function ofPython(entry: Entry): Entry | undefined {
  if (entry['code'] !== undefined) return entry
  const isSerious = entry.level === 'warn' || entry.level === 'error'
  if (!isSerious || entry['logger'] === undefined) return undefined
  const at = entry.message.indexOf(TRACEBACK)
  if (at === -1) return entry
  // The line of the heading goes too: it may be indented, or be that of a group of exceptions.
  return {
    ...entry,
    message: entry.message.slice(0, entry.message.lastIndexOf('\n', at) + 1).trim(),
  }
}

/** Whether a tool threw; see `logFailure` in the core. */
function isToolFailure(entry: Entry): boolean {
  return typeof entry['tool'] === 'string' && typeof entry['error'] === 'string'
}

function failureText({ tool, plugin, error, place }: Entry): string {
  const where = place === undefined ? '' : ` at ${String(place)}`
  return `Tool "${String(tool)}" of "${plugin}" threw ${String(error)}${where}.`
}
