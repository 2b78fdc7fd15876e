import {
  FINISH_REASONS,
  type FinishReason,
  HostError,
  isObject,
  type Message,
  toUsage,
  type Usage,
} from '@braidwork/plugin'
import { withPartial } from '@braidwork/plugin/internal'

/** How a request, or a run, ended. */
export interface Result {
  readonly status: 'done' | 'failed' | 'aborted'
  /** The answer's messages; what had arrived where it failed or was aborted. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly finishReason: FinishReason
  /** What could not be honoured, in words. */
  readonly warnings: readonly string[]
  readonly error?: HostError
}

/** What the final messages say of the answer as a whole. */
export interface Ending {
  readonly finishReason: FinishReason
  readonly usage: Usage
}

/** Finish reason and usage from the last message that has them. */
export function endingOf(messages: readonly Message[]): Ending {
  const metadata = messages.map((message) => message.metadata ?? {}).reverse()
  const usage = metadata.find((of) => of.usage !== undefined)?.usage
  const reason = metadata.find((of) => of.finishReason !== undefined)?.finishReason
  const finishReason = reason === undefined ? defaultReason(messages) : toFinishReason(reason)
  return { finishReason, usage: toUsage(usage) }
}

/** A reason of a plugin's own invention is "other". */
function toFinishReason(reason: string): FinishReason {
  return FINISH_REASONS.find((known) => known === reason) ?? 'other'
}

function defaultReason(messages: readonly Message[]): FinishReason {
  return hostCalls(messages).length > 0 ? 'tool-calls' : 'stop'
}

/** The calls of a model's answer that the provider did not run itself. */
export function hostCalls(messages: readonly Message[]) {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.parts
          .filter((part) => part.type === 'tool-call')
          .filter((part) => !part.providerExecuted)
      : [],
  )
}

/** Finals that ask for one more step. CONTRACT 5 */
export function retryOf(
  messages: readonly Message[],
): { message: string; code: string } | undefined {
  const asked = messages.map((message) => message.metadata?.retry).find((retry) => isObject(retry))
  return asked && { message: String(asked.message), code: String(asked.code) }
}

/** The result of a request that succeeded. @throws {HostError} the error of one that did not, with what had arrived */
export function successOf(result: Result): Result {
  if (result.status === 'done') return result
  const { error = new HostError('PROVIDER_FAILED', 'The request failed.'), messages } = result
  throw withPartial(error, messages)
}
