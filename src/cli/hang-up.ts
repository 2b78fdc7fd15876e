import { closeSync, openSync } from 'node:fs'

/**
 * Whether the terminal from which the process was started is gone. A closed terminal sends SIGHUP too, and a server
 * whose terminal was closed has to end.
 */
export function hasLostTerminal(): boolean {
  if (!process.stdin.isTTY) return false
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}
