import type { ToolCall, ToolOutput, ToolQuestion } from '@braidwork/plugin'
import { elicitationAnswer, questionOf } from '../requests/question.ts'
import { Sampling, type SamplingParts } from '../requests/sampling.ts'
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '../requests/server-questions.ts'
import type { SessionCall } from '../requests/session-call.ts'
import { NewestProgress, type Progress } from './progress.ts'
import { outputOf } from './result.ts'

/** Does the work of a call with a server. */
export type Work = (call: RunningCall) => Promise<unknown>

interface Asked {
  readonly question: ToolQuestion
  readonly answer: (answer: ElicitationAnswer) => void
}

/** What is next in a call: a report of progress, a question, or the end. */
type Step =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'question'; readonly question: ToolQuestion }
  | { readonly kind: 'end'; readonly output: ToolOutput }

/** How a call is followed for a while: until it ends, or asks. */
export interface Following {
  readonly signal: AbortSignal
  /** The most milliseconds without progress. */
  readonly limitMs: number
}

export interface RunningCallFacts extends Pick<SamplingParts, 'server' | 'settings'> {
  readonly owner: string
  readonly canAsk: boolean
  readonly askModel: ToolCall['askModel']
  /** The most seconds of the call, without those in which a person is asked. */
  readonly seconds: number
}

/** A call of a server's tool. It may outlive the leg of a run in which it began, while a person is asked. */
export class RunningCall implements SessionCall {
  readonly owner: string
  readonly canAsk: boolean
  readonly #cancel = new AbortController()
  readonly #progress = new NewestProgress()
  readonly #sampling: Sampling
  readonly #result: Promise<unknown>
  readonly #seconds: number
  #leftMs: number
  /** The questions that nobody has answered yet, oldest first. */
  readonly #asked: Asked[] = []
  #onAsked: () => void = () => undefined

  constructor(work: Work, { owner, canAsk, seconds, ...asking }: RunningCallFacts) {
    this.owner = owner
    this.#seconds = seconds
    this.#leftMs = seconds * 1_000
    this.canAsk = canAsk
    this.#sampling = new Sampling({ ...asking, ask: (asked) => this.ask(asked) }, asking.askModel)
    this.#result = work(this)
    this.#result.catch(() => undefined)
  }

  /** Aborts when nobody wants the result any more. */
  get signal(): AbortSignal {
    return this.#cancel.signal
  }

  get isWaiting(): boolean {
    return this.#asked.length > 0
  }

  /** Takes a report of progress from the server. */
  readonly onProgress = (report: unknown): void => this.#progress.take(report)

  /** Asks the person, after those questions that were asked before. */
  ask(elicitation: Elicitation): Promise<ElicitationAnswer> {
    const question = this.canAsk ? questionOf(elicitation) : undefined
    if (!question || this.signal.aborted) return Promise.resolve({ action: 'cancel' })
    return new Promise((resolve) => {
      this.#asked.push({ question, answer: resolve })
      this.#onAsked()
    })
  }

  /** Answers the question that was asked. Without a value, the person declined. */
  answer(given: { readonly value?: unknown }): void {
    const asked = this.#asked.shift()
    asked?.answer(elicitationAnswer(given, asked.question))
  }

  /** Asks the model, as far as the config allows. */
  async sample(request: SamplingRequest): Promise<SamplingAnswer> {
    this.signal.throwIfAborted()
    return this.#sampling.answer(request)
  }

  /** The call goes on in another leg of its run. */
  goOn(askModel: ToolCall['askModel']): void {
    this.#sampling.askModel = askModel
  }

  cancel(reason: unknown): void {
    this.#cancel.abort(reason)
    for (const { answer } of this.#asked.splice(0)) answer({ action: 'cancel' })
  }

  /** Follows the call to its next step. @throws what the work throws, and the reason of the signal */
  async next({ signal, limitMs }: Following): Promise<Step> {
    signal.throwIfAborted()
    const cancel = () => this.cancel(signal.reason)
    signal.addEventListener('abort', cancel, { once: true })
    const begun = performance.now()
    const late = setTimeout(
      () => this.cancel(this.#lateness(limitMs)),
      Math.min(limitMs, this.#leftMs),
    )
    try {
      return await this.#next()
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(late)
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - begun))
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Of the two limits, the host tells its own. */
  #lateness(limitMs: number): Error {
    if (limitMs <= this.#leftMs) return new Error('it took too long')
    const message = `The call took more than ${this.#seconds} seconds in all (settings.mcp.call). It may have had effects.`
    return Object.assign(new Error(message), { code: 'TIMEOUT', retryable: false })
  }

  async #next(): Promise<Step> {
    const asked = new Promise<void>((resolve) => {
      this.#onAsked = resolve
      if (this.#asked.length > 0) resolve()
    })
    const progress = await this.#progress.next(Promise.race([this.#result, asked]))
    const [first] = this.#asked
    if (progress) return { kind: 'progress', progress }
    if (first) return { kind: 'question', question: first.question }
    return { kind: 'end', output: outputOf(await this.#result) }
  }
}
