import type { EnvironmentHook } from './environment-hook.ts'
import { type AskedHooks, asked, hookFailure } from './hook-failure.ts'

/**
 * The parts of the context that hooks give to a run, the highest priority first. All that takes time is fetched
 * before; the parts are then made in one go, so that they fit each other. AL-15
 * @throws {HostError} HOOK_FAILED
 */
export async function contextParts(
  { all, seconds }: AskedHooks,
  agent: string,
  conversationId: string | undefined,
): Promise<readonly string[]> {
  const providers = all
    .filter((hook) => hook.context !== undefined)
    .toSorted((left, right) => priorityOf(right) - priorityOf(left))
  const fetched = await Promise.all(
    providers.map((hook) => {
      const fetch = (one: EnvironmentHook) => one.fetchContext?.(agent, conversationId)
      return asked(hook, 'fetchContext', fetch, seconds)
    }),
  )
  return providers.flatMap((hook, index) => {
    const part = partOf(hook, () => hook.context?.(fetched[index], agent, conversationId))
    return part === undefined || part === '' ? [] : [part]
  })
}

function priorityOf({ contextPriority = 0 }: EnvironmentHook): number {
  return contextPriority
}

function partOf(hook: EnvironmentHook, make: () => unknown): string | undefined {
  let part: unknown
  try {
    part = make()
  } catch (error) {
    throw hookFailure(hook, 'context', error)
  }
  if (part === undefined || typeof part === 'string') return part
  if (!(part instanceof Promise)) {
    throw hookFailure(hook, 'context', new TypeError('it returned no text'))
  }
  // The hook is refused whatever becomes of the promise, and a rejection that nobody handles would end the process.
  part.catch(() => undefined)
  const fault = 'it returned a promise. Fetch in "fetchContext", and return a text'
  throw hookFailure(hook, 'context', new TypeError(fault))
}
