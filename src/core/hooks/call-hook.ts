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
import { type Answers, readAnswer } from './answers.ts'
import { ChunkReader, type Progress } from './chunk-reader.ts'
import { BEGUN, settle } from './settle.ts'
import type { Sink } from './sink.ts'

/** What holds for the hooks of one plugin in one phase of a request. */
export interface HookFrame {
  readonly plugin: AnyPlugin
  readonly phase: Phase
  readonly limits: Limits
  readonly signal?: AbortSignal | undefined
  /** Goes last to the hook. */
  readonly context?: unknown
}

export type HookAnswer<H extends HookName> = Answers[(typeof HOOKS)[H]['answer']]

/** A plugin's hook, ready to be called: checked answer, typed error, limit and cancelling included. */
export type BoundHook<H extends HookName> = (
  ...args: unknown[]
) => HookAnswer<H> | Promise<HookAnswer<H>>

/** Whether a plugin has a hook. */
export function hasHook(plugin: AnyPlugin, hook: HookName): boolean {
  return typeof memberOf({ plugin, phase: 'resolve' }, hook) === 'function'
}

/**
 * Calls a plugin's hook; undefined where it has none. What the hook throws, answers wrongly, or does not
 * answer in time, comes out as a HostError that names plugin, hook and phase.
 */
export function callHook<H extends HookName>(
  frame: HookFrame,
  hook: H,
  args: unknown[],
): HookAnswer<H> | Promise<HookAnswer<H>> | undefined {
  const run = memberOf(frame, hook)
  return isFunction(run) ? runHook(frame, hook, run, args) : undefined
}

type HookFunction = (...args: unknown[]) => unknown

function runHook<H extends HookName>(
  frame: HookFrame,
  hook: H,
  run: HookFunction,
  args: unknown[],
): HookAnswer<H> | Promise<HookAnswer<H>> {
  let answer: unknown
  let promise: PromiseLike<unknown> | undefined
  try {
    answer = invoke(frame, run, args)
    promise = isPromise(answer) ? answer : undefined
  } catch (error) {
    throw hookError(frame, hook, error)
  }
  if (!promise) return checked(frame, hook, answer)
  return awaitAnswer(frame, hook, promise).then((settled) => checked(frame, hook, settled))
}

/** Every chunk comes by here: no list is made for its hooks, which have three arguments and five. */
function invoke({ plugin, context }: HookFrame, run: HookFunction, args: unknown[]): unknown {
  if (context === undefined) return Reflect.apply(run, plugin, args)
  if (args.length === 3) return run.call(plugin, args[0], args[1], args[2], context)
  if (args.length === 5)
    return run.call(plugin, args[0], args[1], args[2], args[3], args[4], context)
  return Reflect.apply(run, plugin, [...args, context])
}

/** A plugin's hook for calling it often, or nothing where it has none. */
export function bindHook<H extends HookName>(frame: HookFrame, hook: H): BoundHook<H> | undefined {
  const run = memberOf(frame, hook)
  if (!isFunction(run)) return undefined
  return (...args) => runHook(frame, hook, run, args)
}

function isFunction(value: unknown): value is HookFunction {
  return typeof value === 'function'
}

function checked<H extends HookName>(frame: HookFrame, hook: H, answer: unknown): HookAnswer<H> {
  const shape: (typeof HOOKS)[H]['answer'] = HOOKS[hook].answer
  try {
    return readAnswer(shape, answer)
  } catch (error) {
    throw hookError(frame, hook, error)
  }
}

/** Reads a tool's progress, of which each value may take as long as the whole tool. */
export function readChunks(
  frame: HookFrame,
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  take: Sink<unknown>,
): Promise<void> {
  const { limits, signal } = frame
  const toError = (error: unknown) => hookError(frame, 'executeTool', error)
  return new ChunkReader(chunks, take, { seconds: limits.execute_tool, signal, toError }).read()
}

/** Reads the chunks of a provider's `stream`, with the limits on silence and on the whole. */
export function readAnswerChunks(
  frame: HookFrame,
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  { take, progress }: { readonly take: Sink<unknown>; readonly progress: Progress },
): Promise<void> {
  const { limits, signal } = frame
  const toError = (error: unknown) => hookError(frame, 'stream', error)
  const whole = {
    seconds: limits.answer,
    toError: () => limitError(limits, 'answer', frame.plugin.name),
  }
  const options = { seconds: limits.stream_idle, signal, toError, progress, whole }
  return new ChunkReader(chunks, take, options).read()
}

/** A member that is a value or a function that gives it; nothing where it is absent. */
export function readValue(plugin: AnyPlugin, name: string, ...args: readonly unknown[]): unknown {
  const value = memberOf({ plugin, phase: 'resolve' }, name)
  // A library's schema may be a function too, and is a value.
  if (typeof value !== 'function' || '~standard' in value) return value
  try {
    return Reflect.apply(value, plugin, args)
  } catch (error) {
    throw hookError({ plugin, phase: 'resolve' }, name, error)
  }
}

/** A value that may be a function with arguments; a Python function answers with a promise. */
export async function askValue(
  frame: HookFrame,
  name: ValueName,
  ...args: readonly unknown[]
): Promise<unknown> {
  const value = readValue(frame.plugin, name, ...args)
  return isPromise(value) ? awaitAnswer(frame, name, value) : value
}

/** A plugin's member; it may be a getter that throws. */
function memberOf(frame: Pick<HookFrame, 'plugin' | 'phase'>, name: string): unknown {
  try {
    return frame.plugin[name]
  } catch (error) {
    throw hookError(frame, name, error)
  }
}

/** A member that is a list of texts, or a function that gives one. @throws {HostError} HOOK_ANSWER_INVALID */
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
    `"${name}" of ${plugin.kind} "${plugin.name}" gave something else than an array of strings`,
    { plugin: plugin.name, hook: name, phase: 'resolve' },
  )
}

/** Whether a value is a promise, or anything else with a `then`. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  const mayHave = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return mayHave && typeof (value as { readonly then?: unknown }).then === 'function'
}

function awaitAnswer(
  frame: HookFrame,
  name: HookName | ValueName,
  answer: PromiseLike<unknown>,
): Promise<unknown> {
  const seconds = frame.limits[limitOf(name)]
  const { [BEGUN]: begun } = answer as { readonly [BEGUN]?: () => number }
  return settle(answer, { seconds, signal: frame.signal, begun }).catch((error: unknown) => {
    throw hookError(frame, name, error)
  })
}

/** Codes whose messages are written here, where plugin and hook are not known; others speak for themselves. */
const UNNAMED = new Set(['HOOK_FAILED', 'HOOK_ANSWER_INVALID', 'TIMEOUT'])

/** An error with plugin, hook and phase as facts, and where it needs them at the head of its message. */
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
