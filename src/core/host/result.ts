import {
  FINISH_REASONS,
  type FinishReason,
  type HostError,
  isObject,
  type Message,
  type ToolCallPart,
  toUsage,
  type Usage,
} from '@braidwork/plugin'
import { withFacts } from '@braidwork/plugin/internal'

/** The status of a result. One that failed or was aborted has its error. */
export type ResultStatus =
  | { readonly status: 'done'; readonly error?: never }
  | { readonly status: 'failed' | 'aborted'; readonly error: HostError }

/** The result of a request or of a run. */
export type Result = ResultStatus & {
  /** The messages of the answer. For a failed or aborted request, those that had arrived. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly finishReason: FinishReason
  /** Sentences about parts of the request that could not be honored. */
  readonly warnings: readonly string[]
  /** The id that the model API gave the request, if it did. */
  readonly upstreamRequestId?: string
}

/** The finish reason and usage of a whole answer. */
export interface Ending {
  readonly finishReason: FinishReason
  readonly usage: Usage
}

/** The finish reason and the usage of an answer as its messages give them: each is that of the last message that has it. */
function givenEnding(messages: readonly Message[]) {
  const metadata = messages.map((message) => message.metadata ?? {}).reverse()
  const usage = metadata.find((of) => of.usage !== undefined)?.usage
  const reason = metadata.find((of) => of.finishReason !== undefined)?.finishReason
  return { reason, usage }
}

/** The finish reason and the usage of an answer. */
export function endingOf(messages: readonly Message[]): Ending {
  const { reason, usage } = givenEnding(messages)
  const finishReason = reason === undefined ? defaultReason(messages) : toFinishReason(reason)
  return { finishReason, usage: toUsage(usage) }
}

/** The finish reason of an answer and the counts of its usage that the host does not know, a sentence for each. */
export function metadataFaults(messages: readonly Message[]): readonly string[] {
  const { reason, usage } = givenEnding(messages)
  const isKnown = reason === undefined || toFinishReason(reason) === reason
  const faults = isKnown ? [] : [unknownReason(reason)]
  const counted = toUsage(usage)
  const given = isObject(usage) ? Object.entries(usage) : []
  const lost = given.filter(([key, count]) => count !== undefined && !Object.hasOwn(counted, key))
  if (lost.length === 0) return faults
  const names = lost.slice(0, 10).map(([key]) => `"${key.slice(0, 100)}"`)
  const expected = 'whole numbers under input, output, reasoning, cacheRead and cacheWrite'
  return [...faults, `usage: ${names.join(', ')} do not count; counts are ${expected}`]
}

function unknownReason(reason: string): string {
  const said = String(reason).slice(0, 100)
  return `finishReason: "${said}" counts as "other"; known are ${FINISH_REASONS.join(', ')}`
}

/** Maps finish reasons that plugins made up to "other". */
function toFinishReason(reason: string): FinishReason {
  return FINISH_REASONS.find((known) => known === reason) ?? 'other'
}

function defaultReason(messages: readonly Message[]): FinishReason {
  return hostCalls(messages).length > 0 ? 'tool-calls' : 'stop'
}

/** The tool calls of an answer that the host must run: all but those that the provider ran itself. */
export function hostCalls(messages: readonly Message[]) {
  const calls: ToolCallPart[] = []
  for (const { role, parts } of messages) {
    if (role !== 'assistant') continue
    for (const part of parts) {
      if (part.type === 'tool-call' && !part.providerExecuted) calls.push(part)
    }
  }
  return calls
}

/** The request for one more step, if the finals contain one. */
export function retryOf(
  messages: readonly Message[],
): { message: string; code: string } | undefined {
  const asked = messages.map((message) => message.metadata?.retry).find((retry) => isObject(retry))
  return asked && { message: String(asked.message), code: String(asked.code) }
}

/** Returns a successful result. @throws {HostError} the error of any other; `partial` has the messages that arrived */
export function successOf(result: Result): Result {
  if (result.status === 'done') return result
  throw withPartial(result.error, result.messages)
}

/** Copies an error and adds the messages that had arrived before it. They are not part of its JSON. */
function withPartial(error: HostError, partial: readonly Message[]): HostError {
  return Object.defineProperty(withFacts(error, {}), 'partial', {
    value: partial,
    configurable: true,
  })
}
