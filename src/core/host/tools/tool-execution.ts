import {
  type Config,
  type Diagnostic,
  HostError,
  type JsonFault,
  type ModelRequest,
  type PartialEvent,
  type ToolCall,
} from '@braidwork/plugin'
import { type AnyPlugin, type ContextOf, limitsOf } from '@braidwork/plugin/internal'
import { bindHook, type HookFrame, readChunks, settle } from '../../hooks/index.ts'
import type { LargeResults } from '../../results/index.ts'
import { inputMeant, isOffered, type OfferedTool } from '../../tool-schemas/index.ts'
import { plainJson } from '../plain-json.ts'
import type { Closing } from '../signals/closing.ts'
import { withOwnSignal } from '../signals/own-signal.ts'
import {
  type CallOutcome,
  failure,
  failureOf,
  keptOutcome,
  notJsonText,
  outcomeOf,
} from './call-outcome.ts'
import { inputFailure, type NamedCall } from './input-fault.ts'
import { type LateAnswers, takeLate } from './late-answers.ts'
import { logFailure } from './tool-failure.ts'
import type { ToolMasks } from './tool-masks.ts'
import { outputFault } from './tool-output.ts'
import { unknownTool } from './unknown-tool.ts'

/** Options for running a tool call. */
export interface ToolExecution {
  /** Cancels the call. The default is the signal of the opened config. */
  readonly signal?: AbortSignal
  /** The id of the request whose answer contains the call. */
  readonly requestId?: string
  /** Receives the progress that a tool reports before its result. */
  readonly onProgress?: (progress: unknown) => void
  /** Receives events of the tool. By default they are dropped. */
  readonly emit?: (event: PartialEvent) => void
  /** Receives warnings of the tool, with secrets masked. By default they go to the log. */
  readonly warn?: (warning: string) => void
  /** Receives what the tool answers after its call was cancelled. By default that is dropped. LR-03 */
  readonly late?: LateAnswers
}

/** The tools of an opened config. */
export interface ToolSet {
  readonly resolved: { readonly config: Config; readonly diagnostics: readonly Diagnostic[] }
  /** The tools on offer. */
  readonly tools: readonly OfferedTool[]
  /** Finds a tool, on offer or denied by a policy. */
  toolNamed(name: string): OfferedTool | undefined
}

/** A {@link ToolExecution} with the values that running a hook needs. */
export interface Running extends ToolExecution, ToolMasks {
  readonly signal: AbortSignal
  readonly contextOf: ContextOf
  readonly closing: Closing
  /** Absent if large results stay whole. */
  readonly results?: LargeResults | undefined
  /** Ends the wait for the tool. The default is the signal that the tool sees. */
  readonly waiting?: AbortSignal
}

/** Runs one tool call from its resolution on. Every failure becomes an outcome for the model. */
export async function executeTool(
  set: ToolSet,
  call: NamedCall,
  running: Running,
): Promise<CallOutcome> {
  if (running.signal.aborted) return failure('canceled', 'The call was cancelled before it ran.')
  const tool = set.toolNamed(call.name)
  if (!tool || !isOffered(tool)) {
    // A program that runs calls itself shows no diagnostics: without this, nobody learns why the tool is not there.
    const errors = set.resolved.diagnostics.filter(({ level }) => level === 'error')
    return unknownTool(call.name, set.tools, errors)
  }
  const refused = await inputFailure(call, tool, running.mask)
  if (refused) return refused
  return keepOutcome(
    await attemptTool(set, { call: { callId: call.callId, input: call.input }, tool }, running),
    running,
  )
}

/** Runs a tool with arguments that were checked, and maps its answer or its error to an outcome. */
export async function attemptTool(
  set: ToolSet,
  known: KnownCall,
  running: Running,
): Promise<CallOutcome> {
  const { signal, mask, late } = running
  if (signal.aborted) return failure('canceled', 'The call was cancelled before it ran.')
  const answer = callTool(set, known, late ? { ...running, waiting: late.until } : running)
  try {
    const settled = await (late ? settle(answer, { signal }) : answer)
    const fault = outputFault(settled)
    if (fault !== undefined) running.warn?.(plainText(known.tool, fault))
    return running.maskValue(outcomeOf(settled))
  } catch (error) {
    if (!signal.aborted && !running.closing.signal.aborted) {
      logFailure(known.tool, error, running.contextOf)
      return failureOf(error, mask)
    }
    if (late) void takeLate(answer, late, running)
    return failure('canceled', 'The call was cancelled while it ran.')
  }
}

function plainText({ plugin, ownName }: OfferedTool, fault: string): string {
  return `The model was given the whole answer of tool "${plugin?.name ?? ownName}", because it is no output with flags: ${fault}.`
}

/** The outcome as the model gets it: what is too large is stored. A failure of that becomes the outcome. LT-09 */
export async function keepOutcome(
  outcome: CallOutcome,
  { results, signal, mask }: Pick<Running, 'results' | 'signal' | 'mask'>,
): Promise<CallOutcome> {
  try {
    return await keptOutcome(outcome, results, signal)
  } catch (error) {
    if (signal.aborted) return failure('canceled', 'The call was cancelled while it ran.')
    return failureOf(error, mask)
  }
}

/** What a tool asks the model by. The signal cancels its request; by default that is the signal of the call's step. */
export type AskModel = (
  request: ModelRequest,
  signal?: AbortSignal,
) => ReturnType<NonNullable<ToolCall['askModel']>>

/** A call and the tool that it is for. */
export interface KnownCall {
  readonly call: Omit<ToolCall, 'name' | 'askModel'> & { readonly askModel?: AskModel }
  readonly tool: OfferedTool
}

/**
 * Runs a tool and returns its answer, or the last value that it yields.
 * @throws the error that the tool throws; {HostError} TIMEOUT, ABORTED, HOOK_ANSWER_INVALID
 */
export function callTool(set: ToolSet, known: KnownCall, running: Running): Promise<unknown> {
  return withOwnSignal(running.closing, [running.signal], (signal) => {
    const own = { ...running, signal }
    return known.tool.plugin
      ? callPlugin(set, { ...known, plugin: known.tool.plugin }, own)
      : callFunction(set, known, own)
  })
}

/** Runs a tool of the program. */
async function callFunction(
  { resolved }: ToolSet,
  { call: { callId, input: written }, tool }: KnownCall,
  running: Running,
): Promise<unknown> {
  const { signal, waiting = signal } = running
  const limits = limitsOf(resolved.config)
  const answer = Promise.resolve(tool.execute?.(inputMeant(written, tool), { signal, callId }))
  const limit = { seconds: limits.execute_tool, limit: 'execute_tool' }
  const settled = await settle(answer, { ...limit, signal: waiting })
  const plugin = { kind: 'tool', name: tool.ownName } as const
  return resultOf(settled, { plugin, phase: 'tools', limits, signal: waiting }, running)
}

async function callPlugin(
  { resolved }: ToolSet,
  { call, tool, plugin }: KnownCall & { readonly plugin: AnyPlugin },
  running: Running,
): Promise<unknown> {
  const { signal, waiting = signal } = running
  const { callId, input: written, askModel, ...asking } = call
  const limits = limitsOf(resolved.config)
  const frame = { plugin, phase: 'tools', limits, signal: waiting } as const
  const context = contextFor(plugin.name, running)
  const hook = bindHook({ ...frame, context }, 'executeTool')
  if (!hook) throw new TypeError(`Tool "${plugin.name}" has no "executeTool".`)
  const model = (request: ModelRequest) => askModel?.(request, signal)
  const about = askModel ? { ...asking, askModel: model } : asking
  const input = inputMeant(written, tool)
  const answer = await hook({ callId, name: tool.ownName, input, ...about }, tool.state)
  return resultOf(answer, { ...frame, context }, running)
}

/** The context of a hook that runs for a tool call. */
export function contextFor(plugin: string, running: Running): object {
  const { contextOf, mask, maskValue, signal, requestId, emit, warn } = running
  return {
    ...contextOf(plugin, 'tools'),
    signal,
    ...(requestId === undefined ? {} : { requestId }),
    ...(emit ? { emit: (event: PartialEvent) => emit(maskValue(event)) } : {}),
    ...(warn ? { warn: (message: string) => warn(`${plugin}: ${mask(String(message))}`) } : {}),
  }
}

/** The tool's answer, or the last value of the iterator that it returned. */
async function resultOf(
  answer: unknown,
  frame: HookFrame,
  { onProgress = () => undefined, results, maskValue }: Running,
): Promise<unknown> {
  if (!isGenerator(answer)) return answer
  return lastOf(answer, frame, (value) => {
    const masked = maskValue(value)
    onProgress(results ? results.shown(masked) : masked)
  })
}

/** Reads an iterator: each value is progress, told at once, and the last one is also the result. */
async function lastOf(
  values: AsyncIterable<unknown> | Iterable<unknown>,
  frame: HookFrame,
  onProgress: (progress: unknown) => void,
): Promise<unknown> {
  const { answer_events: most } = frame.limits
  let told = 0
  let last: unknown
  await readChunks(frame, values, (value) => {
    if (++told > most) throw tooMuchProgress(frame, most)
    const plain = plainJson(value)
    if ('fault' in plain) throw notJson(frame, plain.fault)
    onProgress(plain.value)
    last = plain.value
    return undefined
  })
  return last
}

function notJson({ plugin }: HookFrame, fault: JsonFault): HostError {
  return new HostError('HOOK_ANSWER_INVALID', notJsonText(fault), {
    plugin: plugin.name,
    phase: 'tools',
  })
}

function tooMuchProgress({ plugin }: HookFrame, most: number): HostError {
  const message = `Tool "${plugin.name}" reported progress more than ${most} times (limits.answer_events).`
  return new HostError('HOOK_ANSWER_INVALID', message, { plugin: plugin.name, phase: 'tools' })
}

/** Whether a value is an async iterable, or an iterator that is not: a list or a set is no progress. */
function isGenerator(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return Symbol.asyncIterator in value || (Symbol.iterator in value && 'next' in value)
}
