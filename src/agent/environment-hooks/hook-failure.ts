import { settle } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { AgentEnvironment } from './agent-environment.ts'
import type { EnvironmentHook } from './environment-hook.ts'

type Member = Exclude<keyof EnvironmentHook, 'name' | 'contextPriority'>

/** Hooks, and the longest time in seconds that a member of one may take. */
export interface AskedHooks {
  readonly all: readonly EnvironmentHook[]
  readonly seconds: number
}

/** An error of a hook, with the names of the hook and its member. TIMEOUT if it did not answer in time. */
export function hookFailure(
  { name }: Pick<EnvironmentHook, 'name'>,
  member: Member,
  cause: unknown,
): HostError {
  return memberFailure(`the environment hook "${name}"`, member, cause)
}

function memberFailure(owner: string, member: string, cause: unknown): HostError {
  const code = HostError.is(cause) && cause.code === 'TIMEOUT' ? 'TIMEOUT' : 'HOOK_FAILED'
  const message = `"${member}" of ${owner} failed: ${messageOf(cause)}`
  return new HostError(code, message, { hook: member, cause })
}

/**
 * Asks a hook.
 * @param seconds the longest time that it may take
 * @throws {HostError} HOOK_FAILED, TIMEOUT
 */
export function asked<T>(
  hook: EnvironmentHook,
  member: Member,
  ask: (hook: EnvironmentHook) => T,
  seconds: number,
): Promise<Awaited<T>> {
  return inTime(
    () => ask(hook),
    seconds,
    (cause) => hookFailure(hook, member, cause),
  )
}

/** Asks the environment of a runtime, as {@link asked} asks a hook. */
export function askedEnvironment<T>(
  environment: AgentEnvironment,
  member: keyof AgentEnvironment,
  ask: (environment: AgentEnvironment) => T,
  seconds: number,
): Promise<Awaited<T>> {
  const toError = (cause: unknown) => memberFailure('the environment', member, cause)
  return inTime(() => ask(environment), seconds, toError)
}

/** Refuses an answer of a hook that is not right. @throws {HostError} HOOK_FAILED, with the fault */
export function assertAnswer(
  hook: Pick<EnvironmentHook, 'name'>,
  member: Member,
  isRight: boolean,
  fault: string,
): void {
  if (!isRight) throw hookFailure(hook, member, new TypeError(fault))
}

/** Refuses an answer of the environment of a runtime, as {@link assertAnswer} does. @throws {HostError} HOOK_FAILED */
export function assertEnvironmentAnswer(
  member: keyof AgentEnvironment,
  isRight: boolean,
  fault: string,
): void {
  if (!isRight) throw memberFailure('the environment', member, new TypeError(fault))
}

async function inTime<T>(
  ask: () => T,
  seconds: number,
  toError: (cause: unknown) => HostError,
): Promise<Awaited<T>> {
  try {
    const answer = ask()
    return await (answer instanceof Promise ? settle(answer, { seconds }) : answer)
  } catch (error) {
    throw toError(error)
  }
}
