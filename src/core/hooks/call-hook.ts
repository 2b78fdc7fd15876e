import {
  HOOKS,
  type HookName,
  HostError,
  type Limits,
  type Phase,
  type ValueName,
} from '@braidwork/plugin'
import { type AnyPlugin, limitOf, toHostError, withMessage } from '@braidwork/plugin/internal'
import { limitError } from './answer-limit.ts'
import { type Answers, answerReader } from './answers.ts'
import { ChunkReader, type Progress } from './chunk-reader.ts'
import { BEGUN, settle } from './settle.ts'
import type { Sink } from './sink.ts'

/** The values that apply to the hooks of one plugin in one phase of a request. */
export interface HookFrame {
  readonly plugin: AnyPlugin
  readonly phase: Phase
  readonly limits: Limits
  readonly signal?: AbortSignal | undefined
  /** The last argument of the hook. */
  readonly context?: unknown
}

export type HookAnswer<H extends HookName> = Answers[(typeof HOOKS)[H]['answer']]

/** A hook, ready to be called: it checks the answer, enforces the limit, can be cancelled and throws typed errors. */
export type BoundHook<H extends HookName> = (
  ...args: unknown[]
) => HookAnswer<H> | Promise<HookAnswer<H>>

/** Whether a plugin has a hook. */
export function hasHook(plugin: AnyPlugin, hook: HookName): boolean {
  return typeof memberOf({ plugin, phase: 'resolve' }, hook) === 'function'
}

/** Whether a plugin has a value. */
export function hasValue(plugin: AnyPlugin, name: ValueName): boolean {
  return (memberOf({ plugin, phase: 'resolve' }, name) ?? null) !== null
}

/** Calls a plugin's hook, as {@link bindHook} says. Returns undefined if the plugin does not have it. */
export function callHook<H extends HookName>(
  frame: HookFrame,
  hook: H,
  args: unknown[],
): HookAnswer<H> | Promise<HookAnswer<H>> | undefined {
  return bindHook(frame, hook)?.(...args)
}

/**
 * Binds a hook. An error that the hook throws, an answer of the wrong shape and a timeout all become a HostError that
 * names plugin, hook and phase. Returns undefined if the plugin does not have the hook.
 */
export function bindHook<H extends HookName>(frame: HookFrame, hook: H): BoundHook<H> | undefined {
  const run = memberOf(frame, hook)
  if (!isFunction(run)) return undefined
  const read = answerReader<(typeof HOOKS)[H]['answer']>(HOOKS[hook].answer)
  const { plugin, context } = frame
  const answered = (answer: unknown) =>
    isPromise(answer) ? awaitAnswer(frame, hook, answer, read) : read(answer)
  // For the hook of each chunk, V8 makes no list of the arguments if nothing else is done with it.
  if (hook === 'processChunk' && context !== undefined) {
    return (...args) => {
      try {
        if (args.length === 3) return answered(run.call(plugin, args[0], args[1], args[2], context))
        return answered(run.call(plugin, args[0], args[1], args[2], args[3], args[4], context))
      } catch (error) {
        throw hookError(frame, hook, error)
      }
    }
  }
  return (...args) => {
    try {
      return answered(Reflect.apply(run, plugin, context === undefined ? args : [...args, context]))
    } catch (error) {
      throw hookError(frame, hook, error)
    }
  }
}

type HookFunction = (...args: unknown[]) => unknown

function isFunction(value: unknown): value is HookFunction {
  return typeof value === 'function'
}

/** Reads the progress of a tool. Each value may take as long as `execute_tool` allows. */
export function readChunks(
  frame: HookFrame,
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  take: Sink<unknown>,
): Promise<void> {
  const { plugin, limits, signal } = frame
  const toError = (error: unknown) => hookError(frame, 'executeTool', error)
  const waiting = { plugin, seconds: limits.execute_tool, limit: 'execute_tool' }
  return new ChunkReader(chunks, take, { ...waiting, signal, toError }).read()
}

/** Reads the chunks of a provider's `stream`, with the limits on silence and on the whole answer. */
export function readAnswerChunks(
  frame: HookFrame,
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  { take, progress }: { readonly take: Sink<unknown>; readonly progress: Progress },
): Promise<void> {
  const { plugin, limits, signal } = frame
  const toError = (error: unknown) => hookError(frame, 'stream', error)
  const tooLong = () => limitError(limits, 'answer', plugin.name)
  const whole = { seconds: limits.answer, toError: tooLong }
  const waiting = { plugin, seconds: limits.stream_idle, limit: 'stream_idle' }
  return new ChunkReader(chunks, take, { ...waiting, signal, toError, progress, whole }).read()
}

/** Reads a member that is a value, or a function that returns it. Undefined if it is absent. */
export function readValue(plugin: AnyPlugin, name: string, ...args: readonly unknown[]): unknown {
  const value = memberOf({ plugin, phase: 'resolve' }, name)
  // A schema object of a library may be callable, and is a value nevertheless.
  if (typeof value !== 'function' || '~standard' in value) return value
  try {
    return Reflect.apply(value, plugin, args)
  } catch (error) {
    throw hookError({ plugin, phase: 'resolve' }, name, error)
  }
}

/** Reads a member that may be a function with arguments. A Python function answers with a promise. */
export async function askValue(
  frame: HookFrame,
  name: ValueName,
  ...args: readonly unknown[]
): Promise<unknown> {
  const value = readValue(frame.plugin, name, ...args)
  return isPromise(value) ? awaitAnswer(frame, name, value, (settled) => settled) : value
}

/** Reads a member of a plugin; it may be a getter that throws. */
function memberOf(frame: Pick<HookFrame, 'plugin' | 'phase'>, name: string): unknown {
  try {
    return frame.plugin[name]
  } catch (error) {
    throw hookError(frame, name, error)
  }
}

/** Reads a member that is a list of strings, or a function that returns one. @throws {HostError} HOOK_ANSWER_INVALID */
export function readTexts(
  plugin: AnyPlugin,
  name: 'providers' | 'requiredTags' | 'forbiddenTags',
): readonly string[] | undefined {
  const value = readValue(plugin, name)
  if (value === undefined) return undefined
  const isRight = Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (isRight) return value
  throw new HostError(
    'HOOK_ANSWER_INVALID',
    `"${name}" of ${plugin.kind} "${plugin.name}" is not an array of strings`,
    { plugin: plugin.name, hook: name, phase: 'resolve' },
  )
}

/** Whether a value is a promise, or any other object with a `then` method. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  const mayHave = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return mayHave && typeof (value as { readonly then?: unknown }).then === 'function'
}

function awaitAnswer<T>(
  frame: HookFrame,
  name: HookName | ValueName,
  answer: PromiseLike<unknown>,
  read: (settled: unknown) => T,
): Promise<T> {
  const { [BEGUN]: begun } = answer as { readonly [BEGUN]?: () => number }
  const { limits, signal } = frame
  const limit = limitOf(name)
  const settled = settle(answer, { seconds: limits[limit], limit, signal, begun })
  return settled.then(read).catch((error: unknown) => {
    throw hookError(frame, name, error)
  })
}

/** The codes whose messages lack the names of plugin and hook. All other messages stay as they are. */
const UNNAMED = new Set(['HOOK_FAILED', 'HOOK_ANSWER_INVALID', 'PYTHON_ANSWER_INVALID', 'TIMEOUT'])

/** Adds plugin, hook and phase to an error. If its message lacks the names, they are put before it. */
export function hookError(
  { plugin, phase }: Pick<HookFrame, 'plugin' | 'phase'>,
  hook: string,
  thrown: unknown,
): HostError {
  const { kind, name } = plugin
  const provider = kind === 'provider' ? { provider: name } : {}
  const error = toHostError(thrown, { plugin: name, hook, phase, ...provider })
  if (!UNNAMED.has(error.code)) return error
  return withMessage(error, `Hook "${hook}" of ${kind} "${name}" failed: ${error.message}`)
}
