import { asSentence, HostError, messageOf } from '../errors.ts'
import {
  findJsonFault,
  isObject,
  type PartialEvent,
  type ToolCallPart,
  type ToolResultPart,
} from '../events/index.ts'
import type { OpenRequest } from '../host/request.ts'
import { bindHook, type HookFrame, limitsOf, readChunks, settle } from '../plugin/internal.ts'
import { validatorOf } from '../schema/json-schema.ts'
import type { OfferedTool } from '../schema/offered-tools.ts'
import { didYouMean } from '../suggest.ts'
import { type AnsweredCall, bindingOf } from './approvals.ts'
import { policyOf } from './tool-policy.ts'

/** What running the calls of a step takes. */
export interface ToolRun {
  readonly request: OpenRequest
  readonly signal: AbortSignal
  /** Takes the secrets of the config out of a text. */
  readonly mask: (text: string) => string
  readonly onProgress: (progress: unknown) => void
  /** Where the context's events and warnings go: the request that offered the tool is over. */
  readonly emit: (event: PartialEvent) => void
  readonly warn: (message: string) => void
}

/** What became of a call, before it is a result of it. */
type Outcome = Pick<ToolResultPart, 'output' | 'isError'>

/** Calls that run at once: each listens to the run's signal, which looks through all who do. */
const MOST_TOGETHER = 100

/** Calls in groups that run together: neighbours that are safe beside each other, all others alone. */
export function groupCalls(
  calls: readonly ToolCallPart[],
  tools: readonly OfferedTool[],
): readonly (readonly ToolCallPart[])[] {
  const groups: ToolCallPart[][] = []
  let isOpen = false
  for (const call of calls) {
    const isSafe = toolOf(call, tools)?.schema.safety?.is_concurrency_safe === true
    const last = groups.at(-1)
    if (isSafe && isOpen && last && last.length < MOST_TOGETHER) last.push(call)
    else groups.push([call])
    isOpen = isSafe
  }
  return groups
}

/** Whether a call is for the caller to answer: its tool came without `execute`. */
export function isClientCall(call: ToolCallPart, tools: readonly OfferedTool[]): boolean {
  const tool = toolOf(call, tools)
  return tool !== undefined && tool.plugin === undefined && tool.execute === undefined
}

/**
 * Runs one call. Whatever goes wrong, an unknown tool, bad arguments, a throw, a time-out, a cancel, is
 * an error result for the model.
 */
export async function executeCall(call: ToolCallPart, run: ToolRun): Promise<ToolResultPart> {
  const outcome = await outcomeOf(call, run)
  const { callId, name } = call
  return { type: 'tool-result', callId, name, ...outcome }
}

/**
 * The tool of a call that may only run after a person's approval, by the policy of its tool. A call
 * whose arguments are wrong needs none: it is refused.
 */
export async function toolToApprove(
  call: ToolCallPart,
  { resolved, outcome }: OpenRequest,
): Promise<OfferedTool | undefined> {
  const tool = toolOf(call, outcome?.tools ?? [])
  if (!tool || policyOf(resolved.config, tool) !== 'ask') return undefined
  return (await argumentFault(call, tool)) === undefined ? tool : undefined
}

/** What a call that waited for an approval comes to: run, or refused. */
export async function executeAnswered(
  call: ToolCallPart,
  { approval, approved, reason }: AnsweredCall,
  run: ToolRun & { readonly runId: string },
): Promise<ToolResultPart> {
  const { callId, name } = call
  const refuse = (message: string): ToolResultPart => ({
    type: 'tool-result',
    callId,
    name,
    ...failure(message),
  })
  if (!approved) return refuse(`The call was not approved.${reason ? ` ${reason}` : ''}`)
  const tool = toolOf(call, run.request.outcome?.tools ?? [])
  const isSame = tool !== undefined && bindingOf(run.runId, call, tool) === approval.binding
  if (!isSame || policyOf(run.request.resolved.config, tool) === 'deny') {
    return refuse(`The tool "${name}" has gone or changed since the call was approved.`)
  }
  return executeCall(call, run)
}

async function outcomeOf(call: ToolCallPart, run: ToolRun): Promise<Outcome> {
  if (run.signal.aborted) return failure('The call was cancelled before it ran.')
  const { resolved, outcome } = run.request
  const tools = outcome?.tools ?? []
  const tool = toolOf(call, tools)
  if (!tool) return unknownTool(call.name, tools)
  try {
    const fault = await argumentFault(call, tool)
    if (fault !== undefined) return failure(fault)
    if (policyOf(resolved.config, tool) === 'deny') {
      return failure(`The tool "${call.name}" is denied by the policy of this host.`)
    }
    return toOutcome(await execute(call, tool, run))
  } catch (error) {
    if (run.signal.aborted) return failure('The call was cancelled while it ran.')
    return failure(run.mask(messageOf(error)))
  }
}

function toolOf(call: ToolCallPart, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const known = byName.get(tools) ?? new Map(tools.map((tool) => [tool.name, tool]))
  byName.set(tools, known)
  return known.get(call.name)
}

/** The tools of a request by the names that the model knows, which differ. */
const byName = new WeakMap<readonly OfferedTool[], ReadonlyMap<string, OfferedTool>>()

function unknownTool(name: string, tools: readonly OfferedTool[]): Outcome {
  const names = tools.map((tool) => tool.name)
  const known = names.length > 0 ? `Offered are ${names.join(', ')}.` : 'No tool is offered.'
  return failure(`No tool is called "${name}". ${known}${didYouMean(name, names)}`)
}

/** What is wrong with a call's arguments, in words that the model can act on. */
async function argumentFault(
  { input, name }: ToolCallPart,
  { schema }: OfferedTool,
): Promise<string | undefined> {
  if (typeof input === 'string')
    return `The arguments of "${name}" are no JSON: ${input.slice(0, 200)}`
  if (!isObject(input)) return `The arguments of "${name}" are no object.`
  const depthFault = findJsonFault(input)
  if (depthFault) return `The arguments of "${name}" are not valid: ${depthFault.reason}.`
  const fault = (await validatorOf(schema.input_schema))(input)
  return (
    fault &&
    `The arguments of "${name}" are not valid at ${fault.pointer || '/'}: ${asSentence(fault.message)}`
  )
}

async function execute(call: ToolCallPart, tool: OfferedTool, run: ToolRun): Promise<unknown> {
  const { signal, request } = run
  const limits = limitsOf(request.resolved.config)
  const { callId, input } = call
  if (!tool.plugin) {
    const answer = Promise.resolve(tool.execute?.(input, { signal, callId }))
    const settled = await settle(answer, { seconds: limits.execute_tool, signal })
    const plugin = { kind: 'tool', name: tool.ownName } as const
    return resultOf(settled, { plugin, phase: 'tools', limits, signal }, run)
  }
  const { plugin } = tool
  const context = {
    ...request.contextOf(plugin.name, 'tools'),
    signal,
    emit: run.emit,
    warn: (message: string) => run.warn(`${plugin.name}: ${run.mask(String(message))}`),
  }
  const frame = { plugin, phase: 'tools', limits, signal, context } as const
  const hook = bindHook(frame, 'executeTool')
  if (!hook) throw new TypeError(`Tool "${plugin.name}" has no "executeTool".`)
  const answer = await hook({ callId, name: tool.ownName, input }, tool.state)
  return resultOf(answer, frame, run)
}

/** What a tool answered, or what its progress comes to. */
async function resultOf(answer: unknown, frame: HookFrame, run: ToolRun): Promise<unknown> {
  return isAsyncIterable(answer) ? lastOf(answer, frame, run.onProgress) : answer
}

/** An async iterator's values are progress; the last is the result. */
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
  const message = `Tool "${plugin.name}" told its progress more than ${most} times (limits.answer_events).`
  return new HostError('HOOK_ANSWER_INVALID', message, { plugin: plugin.name, phase: 'tools' })
}

/** CL-46: a string, parts, `{output, isError?, native?}`, or any other JSON. */
function toOutcome(result: unknown): Outcome {
  const value = result ?? null
  const fault = findJsonFault(value)
  if (fault)
    return failure(
      `The tool answered with what is not JSON at ${fault.pointer || '/'}: ${fault.reason}.`,
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

function failure(message: string): Outcome {
  return { output: message, isError: true }
}
