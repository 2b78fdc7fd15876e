import type { Result } from '@braidwork/core'
import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import { HostError, type ModelFailedEvent, type RunEventBody } from '@braidwork/plugin'
import type { Environment } from './environment.ts'
import { HeldOutput } from './held-output.ts'
import type { OpenedModels } from './opened-models.ts'
import {
  askedWait,
  type CircuitBreakers,
  failureOf,
  type RequestOutcome,
  type RetryPolicy,
  type Verdict,
  verdictOf,
} from './retry/index.ts'
import type { RunRecord } from './run-record.ts'

/** An answer of a model, or its failure, and the config with which it was asked. */
export interface Answered {
  readonly opened: OpenedConfig
  readonly result: Result
}

export interface StepTriesParts {
  readonly models: OpenedModels
  readonly policy: RetryPolicy
  readonly breakers: CircuitBreakers
  readonly canReset: boolean
  readonly record: RunRecord
  readonly environment: Pick<Environment, 'now' | 'elapsed' | 'sleep'>
  readonly signal: AbortSignal
  readonly sink: Sink<readonly RunEventBody[]>
  /** Sends one request, without its retries. */
  readonly ask: (opened: OpenedConfig, sink: Sink<readonly RunEventBody[]>) => Promise<Result>
}

/** A request that has ended. */
interface Tried extends Answered {
  readonly output: HeldOutput
  /** The circuit breaker refused it, so it was not sent. */
  readonly isRefused?: true
}

/** A request that failed, and what follows. */
interface Failed extends Tried {
  readonly error: HostError
  readonly verdict: Verdict
}

/** The requests of one step: it repeats those that failed, and moves on to other models. AW-22, LR-11 */
export class StepTries {
  readonly #parts: StepTriesParts
  /** The requests to the present model. */
  #attempts = 0
  #retries = 0
  #streamRetries = 0
  /** How long its API asked to wait, in seconds. */
  #asked = 0

  constructor(parts: StepTriesParts) {
    this.#parts = parts
  }

  /** Resolves to the first answer, or to the last failure. Rejects if the run is cancelled while it waits. */
  async send(): Promise<Answered> {
    for (;;) {
      const tried = await this.#try(await this.#parts.models.open())
      const { result } = tried
      if (result.status !== 'failed' || !result.error) return this.#keep(tried)
      const failed = this.#judge(tried, result.error)
      if (failed.verdict.next === 'end') return this.#keep(failed, [this.#eventOf(failed)])
      await this.#discard(failed)
      if (failed.verdict.next === 'retry') await this.#wait(failed.verdict.delayMs)
      else await this.#fallBack(failed)
    }
  }

  async #try(opened: OpenedConfig): Promise<Tried> {
    const { breakers, environment, sink, ask } = this.#parts
    const output = new HeldOutput(sink)
    const model = breakerKeyOf(opened)
    // A step that has begun with a model repeats its requests even if the breaker opens meanwhile.
    const admission =
      this.#attempts === 0 ? breakers.admit(model, environment.elapsed()) : undefined
    this.#attempts++
    if (admission?.isAdmitted === false) {
      const result = refused(this.#parts, opened, admission.leftMs)
      return { opened, result, output, isRefused: true }
    }
    let outcome: RequestOutcome = 'unknown'
    try {
      const result = await ask(opened, output.take)
      outcome = outcomeOf(result)
      return { opened, result, output }
    } finally {
      breakers.note(model, outcome, environment.elapsed())
    }
  }

  #judge(tried: Tried, error: HostError): Failed {
    const { policy, canReset, models } = this.#parts
    const decided: Verdict = tried.isRefused
      ? { next: 'fallback', reason: 'The circuit breaker of the model is open.' }
      : verdictOf(
          policy,
          {
            failure: failureOf(error),
            retryAfter: error.retryAfter,
            askedBefore: this.#asked,
            longestWait: tried.opened.resolved.config.limits?.retry_after ?? Infinity,
            isShown: tried.output.isShown,
            retries: this.#retries,
            streamRetries: this.#streamRetries,
          },
          canReset,
        )
    const isOver = decided.next === 'fallback' && !models.hasNext
    return { ...tried, error, verdict: isOver ? { next: 'end', reason: decided.reason } : decided }
  }

  #eventOf({ opened, result, output, error, verdict }: Failed): ModelFailedEvent {
    const { models, record, breakers } = this.#parts
    const { code, status, retryAfter } = error
    const failure = failureOf(error)
    const isDiscarded = verdict.next !== 'end' && Object.keys(result.usage).length > 0
    return {
      type: 'model-failed',
      step: record.steps,
      model: models.choiceOf(opened),
      attempt: this.#attempts,
      error: {
        code,
        ...(status === undefined ? {} : { status }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      },
      ...(failure ? { failure } : {}),
      isShown: output.isShown,
      breaker: breakers.isOpen(breakerKeyOf(opened)) ? 'open' : 'closed',
      ...verdict,
      ...(isDiscarded ? { usage: result.usage } : {}),
    }
  }

  /** Ends the step with this answer or failure. */
  async #keep(tried: Tried, events: readonly RunEventBody[] = []): Promise<Answered> {
    const { opened, result, output } = tried
    await output.release()
    this.#parts.record.addAnswer(result)
    if (events.length > 0) await this.#parts.sink(events)
    return { opened, result }
  }

  /** Drops the output of a request, and tells readers if they were shown some. What it used counts. AW-24 */
  async #discard(failed: Failed): Promise<void> {
    const { record, sink } = this.#parts
    const { result, output, error } = failed
    record.addDiscarded(result)
    const reason = `The request to the model failed (${error.code}).`
    const reset: RunEventBody = { type: 'step-reset', step: record.steps, reason }
    await sink([this.#eventOf(failed), ...(output.isShown ? [reset] : [])])
    this.#retries++
    this.#asked += askedWait(error.retryAfter)
    if (output.isShown) this.#streamRetries++
  }

  #wait(milliseconds: number): Promise<void> {
    const { environment, signal } = this.#parts
    return environment.sleep(milliseconds, signal)
  }

  async #fallBack({ opened, error }: Failed): Promise<void> {
    const { models, sink } = this.#parts
    const { id, provider, model = '' } = models.choiceOf(opened)
    const name = id ?? `${provider} ${model}`.trim()
    this.#attempts = 0
    this.#retries = 0
    this.#streamRetries = 0
    this.#asked = 0
    await sink(await models.fallBack(`The model "${name}" failed (${error.code}).`))
  }
}

/** What a request that was sent says about its model. A failure that is never repeated says nothing. */
function outcomeOf({ status, error }: Result): RequestOutcome {
  if (status === 'done') return 'answered'
  return error && failureOf(error) ? 'failed' : 'unknown'
}

/** The result of a request that a circuit breaker refused. AW-23 */
function refused(
  { environment, models }: StepTriesParts,
  opened: OpenedConfig,
  leftMs: number,
): Result {
  const { provider, model = '' } = models.choiceOf(opened)
  const until = new Date(environment.now() + leftMs).toISOString()
  const message = `The model "${model}" of provider "${provider}" failed repeatedly, so no request is sent to it until ${until}. Try again then, or name another model in a pool.`
  const error = new HostError('CIRCUIT_OPEN', message, {
    provider,
    retryable: true,
    retryAfter: leftMs / 1000,
  })
  return { status: 'failed', messages: [], usage: {}, finishReason: 'error', warnings: [], error }
}

/** Distinguishes models, the addresses of their APIs, and the accounts there: limits belong to an account. */
function breakerKeyOf({ resolved: { config, plugins } }: OpenedConfig): string {
  const { name } = plugins.provider
  const { base_url: address, api_key: account } = config.settings?.[name] ?? {}
  return JSON.stringify([name, config.model, address, account])
}
