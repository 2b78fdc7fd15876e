import { createContext, isContext, Script } from 'node:vm'

const MOST_SECONDS = 2

/** Code that runs in a room of its own may be given a limit. */
const room: { run?: () => unknown } = {}
const script = new Script('run()')

/**
 * Runs what a schema says: with unions in a circle, a few lines of it can ask for more steps than anybody
 * can wait for, and nothing but a limit of time stops them.
 * @throws TIMEOUT
 */
export function withTimeLimit<T>(what: string, run: () => T): T {
  try {
    if (!isContext(room)) createContext(room)
    room.run = run
    return script.runInContext(room, { timeout: MOST_SECONDS * 1000 }) as T
  } catch (error) {
    if (!isTimeout(error)) throw error
    const message = `${what} took more than ${MOST_SECONDS} seconds; make the schema of response_format simpler: unions that contain themselves are the usual cause.`
    throw Object.assign(new Error(message), { code: 'TIMEOUT' })
  } finally {
    delete room.run
  }
}

/** The error is one of the other room's: no instance of this one's `Error`. */
function isTimeout(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
