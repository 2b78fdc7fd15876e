import type { Environment, RunAnswer, RunResult } from '@braidwork/agent'
import type { Log } from '@braidwork/plugin'
import type { Metrics } from './metrics.ts'
import { amountsOfStep } from './spending/index.ts'

export interface RunMeasuresParts {
  readonly metrics: Metrics
  readonly environment: Environment
  readonly log: Log
}

/** The most requests to a model whose ids are in the line of a run. */
const MOST_IDS = 20

interface About {
  readonly runId: string
  /** The id of the caller. */
  readonly identity: string
  /** The name of the published model. */
  readonly model: string
}

/** Measures a leg of a run: its answers, its waits, and itself. Its end is a line in the log, without contents. */
export class RunMeasures {
  readonly #parts: RunMeasuresParts
  readonly #about: About
  readonly #since: number
  #firstSeconds: number | undefined
  readonly #upstreamIds: string[] = []

  constructor(parts: RunMeasuresParts, about: About) {
    this.#parts = parts
    this.#about = about
    this.#since = parts.environment.elapsed()
    parts.metrics.countRun()
  }

  addAnswer({ result, seconds, firstSeconds, model: asked }: RunAnswer): void {
    const { identity, model } = this.#about
    const { usage, upstreamRequestId: id } = result
    const maxOutput = asked.config.max_output_tokens
    if (firstSeconds !== undefined) this.#firstSeconds ??= this.#elapsed() - seconds + firstSeconds
    if (id !== undefined && this.#upstreamIds.length < MOST_IDS) this.#upstreamIds.push(id)
    this.#parts.metrics.addAnswer({
      identity,
      model,
      seconds,
      firstSeconds,
      input: usage.input,
      output: usage.output,
      cost: amountsOfStep({ result, modelInfo: asked.info, input: 0, seconds, maxOutput }).dollars,
      error: result.status === 'failed' ? result.error.code : undefined,
    })
  }

  /** Measures how long calls of tools wait until their records are stored. */
  committed(wait: () => Promise<void>): () => Promise<void> {
    const { environment, metrics } = this.#parts
    return async () => {
      const since = environment.elapsed()
      await wait()
      metrics.addCommit((environment.elapsed() - since) / 1000)
    }
  }

  end({ status, usage, steps }: RunResult): void {
    const { metrics, log } = this.#parts
    const { runId, identity, model } = this.#about
    const seconds = this.#elapsed()
    metrics.addRun({ identity, model, status, seconds })
    const first = this.#firstSeconds
    log({
      level: 'info',
      message: 'run',
      runId,
      identity,
      model,
      status,
      steps,
      seconds: rounded(seconds),
      ...(first === undefined ? {} : { firstSeconds: rounded(first) }),
      ...(usage.input === undefined ? {} : { inputTokens: usage.input }),
      ...(usage.output === undefined ? {} : { outputTokens: usage.output }),
      ...(this.#upstreamIds.length === 0 ? {} : { upstreamRequestIds: this.#upstreamIds }),
    })
  }

  #elapsed(): number {
    return (this.#parts.environment.elapsed() - this.#since) / 1000
  }
}

/** Seconds to a thousandth. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
