import { isPromise, recordedView } from '@braidwork/core/internal'
import { HOOKS, isObject, VALUES } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'

type Callable = (...args: unknown[]) => unknown

/** One call of a hook. It has `answer` or `error` once the hook has ended. */
export interface HookCall {
  readonly hook: string
  readonly args: readonly unknown[]
  answer?: unknown
  error?: unknown
}

/** Where the calls of a plugin's hooks are noted. */
export interface Watch {
  /** Unfinished operations of the plugin's streams and hooks. */
  readonly pending: Set<Promise<unknown>>
  /** All calls of hooks in order. Without it, only streams are watched. */
  readonly calls?: HookCall[]
}

/**
 * A plugin whose hooks receive frozen values: a hook that changes an argument throws, and the error names the hook.
 * The watch learns what its hooks do. Everything else is the plugin's own.
 */
export function watchedPlugin(plugin: AnyPlugin, watch: Watch): AnyPlugin {
  const members = ['kind', 'name', ...Object.keys(HOOKS), ...Object.keys(VALUES)]
  const own = members.filter((member) => plugin[member] !== undefined)
  const watched = (member: string): unknown => {
    const value = plugin[member]
    // A schema object of a validation library may be a function. It is a value, not a hook.
    if (typeof value !== 'function' || '~standard' in value) return value
    const run = noted(member, withFrozenArguments(plugin, value as Callable), watch)
    return member === 'stream' ? withWatchedChunks(run, watch.pending) : run
  }
  const getters = own.map((member) => [member, { get: () => watched(member) }])
  return Object.create(plugin, Object.fromEntries(getters)) as AnyPlugin
}

function withFrozenArguments(plugin: AnyPlugin, run: Callable): Callable {
  return (...args) =>
    Reflect.apply(
      run,
      plugin,
      args.map((argument) => freeze(argument, new Set())),
    )
}

/** Notes each call, and waits for none. */
function noted(hook: string, run: Callable, { calls, pending }: Watch): Callable {
  if (!(calls && hook in HOOKS)) return run
  return (...args) => {
    const call: HookCall = { hook, args }
    calls.push(call)
    try {
      const answer = run(...args)
      if (isPromise(answer)) follow(call, answer, pending)
      else call.answer = answer
      return answer
    } catch (error) {
      call.error = error
      throw error
    }
  }
}

function follow(
  call: HookCall,
  answer: PromiseLike<unknown>,
  pending: Set<Promise<unknown>>,
): void {
  const end: Promise<unknown> = Promise.resolve(answer).then(
    (value) => {
      call.answer = value
      pending.delete(end)
    },
    (error: unknown) => {
      call.error = error
      pending.delete(end)
    },
  )
  pending.add(end)
}

/**
 * Freezes lists and plain objects recursively. Class instances stay as they are, and so do the config views that a form
 * passes: they refuse changes themselves, and record each read.
 */
function freeze<T>(value: T, above: Set<unknown>): T {
  const isList = Array.isArray(value)
  if (!(isList || isObject(value)) || above.has(value) || recordedView(value)) return value
  above.add(value)
  for (const inner of Object.values(value)) freeze(inner, above)
  return Object.freeze(value)
}

function withWatchedChunks(run: Callable, pending: Set<Promise<unknown>>): Callable {
  const watch = (chunks: unknown): unknown =>
    typeof chunks === 'object' && chunks !== null && Symbol.asyncIterator in chunks
      ? watchedChunks(chunks as AsyncIterable<unknown>, pending)
      : chunks
  return (...args) => {
    const answer = run(...args)
    return isPromise(answer) ? Promise.resolve(answer).then(watch) : watch(answer)
  }
}

function watchedChunks(
  chunks: AsyncIterable<unknown>,
  pending: Set<Promise<unknown>>,
): AsyncIterable<unknown> {
  const watch = <T>(work: Promise<T>): Promise<T> => {
    const end = (): boolean => pending.delete(work)
    pending.add(work)
    work.then(end, end)
    return work
  }
  return {
    [Symbol.asyncIterator]: () => {
      const source = chunks[Symbol.asyncIterator]()
      return {
        next: () => watch(source.next()),
        return: () => watch(Promise.resolve(source.return?.() ?? { value: undefined, done: true })),
      }
    },
  }
}
