import { createContext, isContext, Script } from 'node:vm'

const MOST_SECONDS = 2

/** A VM context, because code in it can be given a time limit. */
const room: { run?: () => unknown } = {}
const script = new Script('run()')

/**
 * Runs schema code with a time limit. A short schema with recursive unions can need practically endless time, and only
 * a time limit stops it.
 * @throws TIMEOUT
 */
export function withTimeLimit<T>(what: string, run: () => T): T {
  try {
    if (!isContext(room)) createContext(room)
    room.run = run
    return script.runInContext(room, { timeout: MOST_SECONDS * 1000 }) as T
  } catch (error) {
    if (!isTimeout(error)) throw error
    const message = `${what} took more than ${MOST_SECONDS} seconds; simplify the schema of response_format. The usual cause is a union that contains itself.`
    throw Object.assign(new Error(message), { code: 'TIMEOUT' })
  } finally {
    delete room.run
  }
}

/** Whether an error is the timeout. It comes from the VM context, so it is not an instance of this realm's `Error`. */
function isTimeout(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
