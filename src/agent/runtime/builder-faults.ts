import { misspelledOption } from '@braidwork/core/internal'
import { HostError, pointerOf } from '@braidwork/plugin'
import { type EnvironmentHook, HOOK_MEMBERS } from '../environment-hooks/index.ts'

export function taken(what: string, name: unknown): HostError {
  const message = `There are two ${what} "${String(name)}". Rename or remove one.`
  return new HostError('OPTION_INVALID', message)
}

/** Several errors as one: the first, with the others in its message and all in its cause. */
export function together([first, ...others]: readonly HostError[]): HostError {
  if (!first) throw new TypeError('There is no error to tell.')
  if (others.length === 0) return first
  const { code, plugin, pointer } = first
  const list = others.map(({ message }) => `- ${message.replaceAll('\n', '\n  ')}`)
  const message = `${first.message}\n\nThere are ${others.length} more faults:\n${list.join('\n')}`
  const cause = new AggregateError([first, ...others], 'All faults of the runtime')
  return new HostError(code, message, { plugin, pointer, cause })
}

export function named(owner: string, error: HostError): HostError {
  if (error.message.includes(owner)) return error
  const { code, plugin, pointer } = error
  return new HostError(code, `${owner}: ${error.message}`, { plugin, pointer, cause: error })
}

/** Adds the place of a spec in the config to the pointer of an error. */
export async function at(path: readonly string[], work: () => Promise<void> | void): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!HostError.is(error)) throw error
    const pointer = `${pointerOf(path)}${error.pointer ?? ''}`
    throw new HostError(error.code, error.message, { pointer, cause: error })
  }
}

/** The error of work that failed with one. */
export async function settled(work: Promise<void>): Promise<{ readonly error?: HostError }> {
  try {
    await work
    return {}
  } catch (error) {
    if (HostError.is(error)) return { error }
    throw error
  }
}

/** The error of a runtime without a host, which untyped code can ask for. */
export function noHost(): HostError {
  const message = 'A runtime needs "host", the result of createHost().'
  return new HostError('OPTION_INVALID', message, { pointer: '/host' })
}

/** The error of a hook that is none, or with a member that is nearly the name of another. */
export function hookFault(hook: EnvironmentHook): HostError | undefined {
  if (Object(hook) === hook)
    return misspelledOption(`The environment hook "${hook.name}"`, hook, HOOK_MEMBERS)
  const message = 'An environment hook must be an object with its "name".'
  return new HostError('OPTION_INVALID', message, { pointer: '/hooks' })
}
