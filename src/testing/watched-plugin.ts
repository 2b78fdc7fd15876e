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
    return watchedHook(member, withFrozenArguments(plugin, value as Callable), watch)
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

/** Hooks that may answer with an iterator. What it throws is noted as the error of the call. */
const ITERATING: ReadonlySet<string> = new Set(['stream', 'executeTool'])

/** Notes each call, and waits for none. */
function watchedHook(hook: string, run: Callable, { calls, pending }: Watch): Callable {
  return (...args) => {
    const call: HookCall = { hook, args }
    if (hook in HOOKS) calls?.push(call)
    const opened = (answer: unknown): unknown =>
      ITERATING.has(hook) ? watchedChunks(answer, call, pending) : answer
    try {
      const answer = run(...args)
      if (!isPromise(answer)) {
        call.answer = opened(answer)
        return call.answer
      }
      if (calls) follow(call, answer, pending)
      return ITERATING.has(hook) ? Promise.resolve(answer).then(opened) : answer
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

/** An iterator whose steps are watched. Any other answer stays as it is. */
function watchedChunks(chunks: unknown, call: HookCall, pending: Set<Promise<unknown>>): unknown {
  if (typeof chunks !== 'object' || chunks === null || Array.isArray(chunks)) return chunks
  if (Symbol.asyncIterator in chunks)
    return watchedAsync(chunks as AsyncIterable<unknown>, call, pending)
  return call.hook === 'stream' && Symbol.iterator in chunks
    ? watchedSync(chunks as Iterable<unknown>, call)
    : chunks
}

function watchedAsync(
  chunks: AsyncIterable<unknown>,
  call: HookCall,
  pending: Set<Promise<unknown>>,
): AsyncIterable<unknown> {
  const watch = <T>(work: Promise<T>): Promise<T> => {
    const end = (): boolean => pending.delete(work)
    pending.add(work)
    work.then(end, (error: unknown) => {
      call.error = error
      end()
    })
    return work
  }
  return {
    [Symbol.asyncIterator]: () => {
      const source = chunks[Symbol.asyncIterator]()
      return {
        next: () => watch(Promise.resolve(source.next())),
        return: () => watch(Promise.resolve(source.return?.() ?? { value: undefined, done: true })),
      }
    },
  }
}

function watchedSync(chunks: Iterable<unknown>, call: HookCall): Iterable<unknown> {
  return {
    [Symbol.iterator]: () => {
      const source = chunks[Symbol.iterator]()
      return {
        next: () => {
          try {
            return source.next()
          } catch (error) {
            call.error = error
            throw error
          }
        },
        return: () => source.return?.() ?? { value: undefined, done: true },
      }
    },
  }
}
