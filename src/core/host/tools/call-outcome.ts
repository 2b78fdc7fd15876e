import {
  type FinalCallState,
  type HostError,
  isObject,
  type JsonFault,
  type ResultEvidence,
  type ResultReference,
  type ToolCallError,
  type ToolCallPart,
  type ToolErrorClass,
  type ToolQuestion,
  type ToolResultPart,
} from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { type LargeResults, ResultLost } from '../../results/index.ts'
import { plainJson } from '../plain-json.ts'
import { isToolOutput } from './tool-output.ts'

/** How a call ended. What the model is told is `output`; the rest is for the host, and never read from a text. */
export interface CallOutcome extends ResultEvidence {
  readonly state: FinalCallState
  readonly output: unknown
  /** What is stored, if `output` is only a preview. LT-09 */
  readonly references?: readonly ResultReference[]
  /** Present unless the state is `succeeded`. */
  readonly error?: ToolCallError
  /** What a person is to be asked before the call goes on. Where nobody can be asked, the outcome is what it is. */
  readonly question?: ToolQuestion
}

/** The state in which a call ends with an error of each class. */
const STATE_OF: { readonly [errorClass in ToolErrorClass]: FinalCallState } = {
  unknown_tool: 'failed',
  invalid_arguments: 'validation_failed',
  permission_denied: 'denied',
  approval_rejected: 'denied',
  policy_blocked: 'blocked',
  hook_blocked: 'blocked',
  timeout: 'timed_out',
  rate_limited: 'failed',
  dependency_unavailable: 'failed',
  execution_failed: 'failed',
  result_too_large: 'failed',
  sibling_canceled: 'canceled',
  canceled: 'canceled',
  outcome_unknown: 'failed',
}

const ADVICE: { readonly [errorClass in ToolErrorClass]?: string } = {
  unknown_tool: 'Call one of the tools on offer.',
  invalid_arguments: 'Correct the arguments and call the tool again.',
  permission_denied: 'Go on without this tool, or ask for a change of the policy.',
  approval_rejected: 'Go on without this call.',
  timeout: 'Ask for less at once, or try again later.',
  rate_limited: 'Wait, then try again.',
  dependency_unavailable: 'Try again later.',
  result_too_large: 'Ask for less at once.',
  outcome_unknown: 'Check whether the call took effect before you repeat it.',
}

/** Errors after which the same call may succeed. */
const RETRYABLE: ReadonlySet<ToolErrorClass> = new Set([
  'timeout',
  'rate_limited',
  'dependency_unavailable',
  'sibling_canceled',
])

/** A call that ended with an error of a class. @param message the text for the model */
export function failure(
  errorClass: ToolErrorClass,
  message: unknown,
  facts: Partial<Omit<ToolCallError, 'class'>> = {},
): CallOutcome {
  const retryable = facts.retryable ?? RETRYABLE.has(errorClass)
  // The advice of these classes is to repeat the call.
  const isVain = RETRYABLE.has(errorClass) && !retryable
  const advice = facts.advice ?? (isVain ? undefined : ADVICE[errorClass])
  const error: ToolCallError = {
    class: errorClass,
    retryable,
    ...(facts.retryAfter === undefined ? {} : { retryAfter: facts.retryAfter }),
    ...(advice === undefined ? {} : { advice }),
  }
  return { state: STATE_OF[errorClass], output: message, error }
}

/** The outcome of a call whose tool threw. @param mask masks the secrets of the config in a text */
export function failureOf(error: unknown, mask: (text: string) => string): CallOutcome {
  // The error of a caller's tool comes as it was thrown, that of a plugin's as an error of the host.
  const known = toHostError(error)
  const { retryable, retryAfter } = known
  return failure(classOf(known), mask(known.message), {
    ...(retryable === undefined ? {} : { retryable }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** System codes (Node's `errors.html`) of a service that cannot be reached. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EPIPE',
])

function classOf({ code, cause }: HostError): ToolErrorClass {
  const own = isObject(cause) && typeof cause['code'] === 'string' ? cause['code'] : code
  if (code === 'TIMEOUT' || own === 'TIMEOUT') return 'timeout'
  if (own === 'RATE_LIMITED' || own === 'OVERLOADED') return 'rate_limited'
  if (own === 'OPTION_INVALID') return 'invalid_arguments'
  if (own === 'TOOL_UNKNOWN') return 'unknown_tool'
  if (own === 'RESULT_TOO_LARGE') return 'result_too_large'
  return AWAY.has(own) || own === 'STORAGE_FAILED' ? 'dependency_unavailable' : 'execution_failed'
}

/**
 * The outcome of a tool's answer: a string, parts, `{output, isError?, native?}`, or any other value that
 * {@link plainJson} makes JSON of. CL-46
 */
export function outcomeOf(answer: unknown): CallOutcome {
  const plain = plainJson(answer ?? null)
  if ('fault' in plain) return failure('execution_failed', notJsonText(plain.fault))
  const { value } = plain
  if (!isToolOutput(value)) return { state: 'succeeded', output: value }
  const { output = null, isError, native, artifacts, evidence, question } = value
  const envelope = native === undefined ? output : { native, output }
  const asked = question ? { question } : {}
  const stated = {
    ...(artifacts ? { artifacts } : {}),
    ...(evidence ? { evidence } : {}),
    ...asked,
  }
  if (isError === true) return { ...failure('execution_failed', envelope), ...stated }
  return { state: 'succeeded', output: envelope, ...stated }
}

/** The outcome as the model gets it: what is too large is stored. A result that cannot be stored is lost. LT-09 */
export async function keptOutcome(
  outcome: CallOutcome,
  results: LargeResults | undefined,
  signal: AbortSignal,
): Promise<CallOutcome> {
  if (!results) return outcome
  try {
    const { output, references } = await results.keep(outcome.output, signal)
    return references.length === 0 ? outcome : { ...outcome, output, references }
  } catch (error) {
    if (error instanceof ResultLost) return failure('result_too_large', error.message)
    throw error
  }
}

/** The part of a message that tells the model how a call ended. */
export function resultOf(
  { callId, name }: Pick<ToolCallPart, 'callId' | 'name'>,
  { state, output, error, references, artifacts, evidence }: CallOutcome,
): ToolResultPart {
  const isError = state === 'succeeded' ? {} : { isError: true }
  const why = error ? { error } : {}
  const stored = references ? { references } : {}
  const stated = { ...(artifacts ? { artifacts } : {}), ...(evidence ? { evidence } : {}) }
  return { type: 'tool-result', callId, name, output, ...isError, ...why, ...stored, ...stated }
}

/** Says where the answer of a tool is not JSON. */
export function notJsonText({ pointer, reason }: JsonFault): string {
  return `The answer of the tool is not JSON at ${pointer || '/'}: ${reason}.`
}
