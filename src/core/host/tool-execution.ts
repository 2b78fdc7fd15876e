import {
  type Config,
  findJsonFault,
  HostError,
  isObject,
  type PartialEvent,
  type ToolCallPart,
  type ToolResultPart,
} from '@braidwork/plugin'
import { asSentence, type ContextOf, limitsOf, messageOf } from '@braidwork/plugin/internal'
import { validatorOf } from '../config/index.ts'
import { bindHook, type HookFrame, readChunks, settle } from '../hooks/index.ts'
import { didYouMean, listed } from '../suggest.ts'
import { inputMeant, type OfferedTool } from '../tool-schemas/index.ts'

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
}

/** The tools of an opened config. */
export interface ToolSet {
  readonly resolved: { readonly config: Config }
  readonly tools: readonly OfferedTool[]
  toolNamed(name: string): OfferedTool | undefined
}

/** A {@link ToolExecution} with the values that running a hook needs. */
export interface Running extends ToolExecution {
  readonly signal: AbortSignal
  readonly contextOf: ContextOf
  /** Masks the secrets of the config in a text. */
  readonly mask: (text: string) => string
}

/** The most tool names that are compared with an unknown name for a suggestion; a model may send thousands of calls. */
const MOST_NAMED = 500

/** The outcome of a call, before it becomes a tool result. */
type CallOutcome = Pick<ToolResultPart, 'output' | 'isError'>

/**
 * Runs one tool call. Every failure (an unknown tool, bad arguments, a thrown error, a timeout, a cancel) becomes an
 * error result for the model.
 */
export async function executeTool(
  set: ToolSet,
  call: ToolCallPart,
  running: Running,
): Promise<ToolResultPart> {
  const { callId, name } = call
  const outcome = await outcomeOf(set, call, running)
  return { type: 'tool-result', callId, name, ...outcome }
}

async function outcomeOf(set: ToolSet, call: ToolCallPart, running: Running): Promise<CallOutcome> {
  const { signal, mask } = running
  if (signal.aborted) return failure('The call was cancelled before it ran.')
  const tool = set.toolNamed(call.name)
  if (!tool) return unknownTool(call.name, set.tools)
  try {
    const fault = await inputFault(call, tool)
    if (fault !== undefined) return failure(fault)
    return toOutcome(await callTool(set, { call, tool }, running))
  } catch (error) {
    if (signal.aborted) return failure('The call was cancelled while it ran.')
    return failure(mask(messageOf(error)))
  }
}

function unknownTool(name: string, tools: readonly OfferedTool[]): CallOutcome {
  const names = tools.slice(0, MOST_NAMED).map((tool) => tool.name)
  const known =
    names.length > 0 ? `The tools are ${listed(names, tools.length)}.` : 'No tools are available.'
  return failure(`No tool is called "${name}". ${known}${didYouMean(name, names)}`)
}

/** Describes the fault in a call's arguments in words that help the model. Undefined if they are valid. */
export async function inputFault(
  { input, name }: ToolCallPart,
  tool: OfferedTool,
): Promise<string | undefined> {
  if (typeof input === 'string')
    return `The arguments of "${name}" are not JSON: ${input.slice(0, 200)}`
  if (!isObject(input)) return `The arguments of "${name}" are not a JSON object.`
  const depthFault = findJsonFault(input)
  if (depthFault) return `The arguments of "${name}" are not valid: ${depthFault.reason}.`
  const fault = (await validatorOf(tool.schema.input_schema))(inputMeant(input, tool))
  return (
    fault &&
    `The arguments of "${name}" are not valid at ${fault.pointer || '/'}: ${asSentence(fault.message)}`
  )
}

/** A call and the tool that it is for. */
export interface KnownCall {
  readonly call: Pick<ToolCallPart, 'callId' | 'input'>
  readonly tool: OfferedTool
}

/**
 * Runs a tool and returns its answer, or the last value that it yields.
 * @throws the error that the tool throws; {HostError} TIMEOUT, ABORTED, HOOK_ANSWER_INVALID
 */
export async function callTool(
  { resolved }: ToolSet,
  { call: { callId, input: written }, tool }: KnownCall,
  running: Running,
): Promise<unknown> {
  const { signal } = running
  const limits = limitsOf(resolved.config)
  const input = inputMeant(written, tool)
  if (!tool.plugin) {
    const answer = Promise.resolve(tool.execute?.(input, { signal, callId }))
    const settled = await settle(answer, { seconds: limits.execute_tool, signal })
    const plugin = { kind: 'tool', name: tool.ownName } as const
    return resultOf(settled, { plugin, phase: 'tools', limits, signal }, running)
  }
  const { plugin } = tool
  const frame = { plugin, phase: 'tools', limits, signal } as const
  const context = contextFor(plugin.name, running)
  const hook = bindHook({ ...frame, context }, 'executeTool')
  if (!hook) throw new TypeError(`Tool "${plugin.name}" has no "executeTool".`)
  const answer = await hook({ callId, name: tool.ownName, input }, tool.state)
  return resultOf(answer, { ...frame, context }, running)
}

function contextFor(plugin: string, { contextOf, mask, ...running }: Running) {
  const { signal, requestId, emit, warn } = running
  return {
    ...contextOf(plugin, 'tools'),
    signal,
    ...(requestId === undefined ? {} : { requestId }),
    ...(emit ? { emit } : {}),
    ...(warn ? { warn: (message: string) => warn(`${plugin}: ${mask(String(message))}`) } : {}),
  }
}

/** The tool's answer, or the last value of the iterator that it returned. */
async function resultOf(
  answer: unknown,
  frame: HookFrame,
  { onProgress = () => undefined }: Running,
): Promise<unknown> {
  return isAsyncIterable(answer) ? lastOf(answer, frame, onProgress) : answer
}

/** Reads an async iterator: its last value is the result, all values before that are progress. */
async function lastOf(
  values: AsyncIterable<unknown>,
  frame: HookFrame,
  onProgress: (progress: unknown) => void,
): Promise<unknown> {
  const { answer_events: most } = frame.limits
  let told = 0
  let last: { readonly value: unknown } | undefined
  await readChunks(frame, values, (value) => {
    if (++told > most) throw tooMuchProgress(frame, most)
    if (last) onProgress(last.value)
    last = { value }
    return undefined
  })
  return last?.value
}

function tooMuchProgress({ plugin }: HookFrame, most: number): HostError {
  const message = `Tool "${plugin.name}" reported progress more than ${most} times (limits.answer_events).`
  return new HostError('HOOK_ANSWER_INVALID', message, { plugin: plugin.name, phase: 'tools' })
}

/** Converts a tool's answer: a string, parts, `{output, isError?, native?}`, or any other JSON. CL-46 */
function toOutcome(result: unknown): CallOutcome {
  const value = result ?? null
  const fault = findJsonFault(value)
  if (fault)
    return failure(
      `The answer of the tool is not JSON at ${fault.pointer || '/'}: ${fault.reason}.`,
    )
  if (!isToolOutput(value)) return { output: value }
  const { output = null, isError, native } = value
  const envelope = native === undefined ? output : { native, output }
  return isError === true ? { output: envelope, isError } : { output: envelope }
}

const OUTPUT_KEYS = new Set(['output', 'isError', 'native'])

function isToolOutput(
  value: unknown,
): value is { readonly output?: unknown; readonly isError?: unknown; readonly native?: unknown } {
  if (!isObject(value) || !('output' in value || 'native' in value)) return false
  return Object.keys(value).every((key) => OUTPUT_KEYS.has(key))
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function failure(message: string): CallOutcome {
  return { output: message, isError: true }
}
