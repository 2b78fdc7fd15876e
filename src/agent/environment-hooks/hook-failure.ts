import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { EnvironmentHook } from './environment-hook.ts'

type Member = Exclude<keyof EnvironmentHook, 'name' | 'contextPriority'>

/** An error of a hook, with the names of the hook and its member. */
export function hookFailure(
  { name }: Pick<EnvironmentHook, 'name'>,
  member: Member,
  cause: unknown,
): HostError {
  const message = `"${member}" of the environment hook "${name}" failed: ${messageOf(cause)}`
  return new HostError('HOOK_FAILED', message, { hook: member, cause })
}

/** Asks a hook. @throws {HostError} HOOK_FAILED */
export async function asked<T>(
  hook: EnvironmentHook,
  member: Member,
  ask: (hook: EnvironmentHook) => T,
): Promise<Awaited<T>> {
  try {
    return await ask(hook)
  } catch (error) {
    throw hookFailure(hook, member, error)
  }
}
