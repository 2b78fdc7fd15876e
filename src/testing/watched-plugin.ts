import { isPromise, recordedView } from '@braidwork/core/internal'
import { HOOKS, isObject, VALUES } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'

type Callable = (...args: unknown[]) => unknown

/**
 * A plugin whose hooks receive frozen values: a hook that changes an argument throws, and the error names the hook.
 * Unfinished operations of its streams are in `pending`. Everything else is the plugin's own.
 */
export function watchedPlugin(plugin: AnyPlugin, pending: Set<Promise<unknown>>): AnyPlugin {
  const members = ['kind', 'name', ...Object.keys(HOOKS), ...Object.keys(VALUES)]
  const own = members.filter((member) => plugin[member] !== undefined)
  const watched = (member: string): unknown => {
    const value = plugin[member]
    // A schema object of a validation library may be a function. It is a value, not a hook.
    if (typeof value !== 'function' || '~standard' in value) return value
    const run = withFrozenArguments(plugin, value as Callable)
    return member === 'stream' ? withWatchedChunks(run, pending) : run
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
