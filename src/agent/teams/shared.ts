import { type CallOutcome, failure } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import type { AgentCall } from '../children/index.ts'
import { ContextValues, type SharedContext, type SharedValue } from '../storage/index.ts'

/** A context for a team whose run is not stored. */
export function memoryContext(): SharedContext {
  const values = new ContextValues()
  return {
    list: async () => values.all,
    load: async (key) => values.get(key),
    write: async (write) => values.write(write),
  }
}

/** Reads what a team shares: one key, or all. AL-25 */
export function readShared({ input }: AgentCall, context: SharedContext): Promise<CallOutcome> {
  const key = isObject(input) ? input['key'] : undefined
  return told(async () => {
    if (typeof key !== 'string') return (await context.list()).map(shown)
    const found = await context.load(key)
    return found ? shown(found) : { key, version: 0 }
  })
}

/** Writes a value that a team shares. A stale write is a failed call, which tells the present version. AL-25 */
export function writeShared(
  { input }: AgentCall,
  context: SharedContext,
  agent: string,
): Promise<CallOutcome> {
  const { key, value, version } = Object(input)
  return told(async () => {
    const written = await context.write({ key: String(key), value, version, agent })
    return { key, version: written.version }
  })
}

function shown({ key, value, version, agent }: SharedValue): object {
  return { key, version, agent, value }
}

/** What the model is told of the work on a context. */
async function told(work: () => Promise<unknown>): Promise<CallOutcome> {
  try {
    return { state: 'succeeded', output: await work() }
  } catch (error) {
    if (!HostError.is(error)) throw error
    const { code, message, version } = error
    const present = version === undefined ? {} : { version }
    const errorClass = code === 'STORAGE_FAILED' ? 'dependency_unavailable' : 'execution_failed'
    return failure(errorClass, { code, message, ...present })
  }
}
