import type { RunAnswer, RunResult, StoredRun } from '@braidwork/agent'
import type { LeftLeg } from '@braidwork/agent/internal'
import type { HostError, Usage } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { orderOf } from '../run-order.ts'
import { amountsOfStep, type MeteredStep, usedInStep } from '../spending/index.ts'
import { warningFacts } from './content-log.ts'
import type { RunWorkParts } from './run-parts.ts'

type RunMeasuresParts = Pick<
  RunWorkParts,
  'metrics' | 'environment' | 'log' | 'host' | 'logsContent' | 'storage'
>

/** The most requests to a model whose ids are in the line of a run. */
const MOST_IDS = 20

interface About {
  readonly runId: string
  /** The id of the caller. */
  readonly identity: string
  /** The name of the published model. */
  readonly model: string
}

/** Measures a leg of a run: its answers, its waits, and itself. Its end is a line in the log. */
export class RunMeasures {
  readonly #parts: RunMeasuresParts
  readonly #about: About
  readonly #since: number
  #firstSeconds: number | undefined
  readonly #upstreamIds: string[] = []
  #estimated = { input: 0, output: 0 }
  readonly #warnings = new Set<string>()

  constructor(parts: RunMeasuresParts, about: About) {
    this.#parts = parts
    this.#about = about
    this.#since = parts.environment.elapsed()
    parts.metrics.countRun()
  }

  /** The warnings of its answers, each once. Those about the config are not among them. */
  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  /** @param step the same request, as costs are counted */
  addAnswer({ result, seconds, firstSeconds }: RunAnswer, step: MeteredStep): void {
    const { identity, model } = this.#about
    const { usage, warnings, upstreamRequestId: id } = result
    for (const warning of warnings) this.#warnings.add(warning)
    if (firstSeconds !== undefined) this.#firstSeconds ??= this.#elapsed() - seconds + firstSeconds
    if (id !== undefined && this.#upstreamIds.length < MOST_IDS) this.#upstreamIds.push(id)
    this.#parts.metrics.addAnswer({
      identity,
      model,
      seconds,
      firstSeconds,
      told: usage,
      used: this.#counted(step),
      cost: amountsOfStep(step).dollars,
      error: result.status === 'failed' ? result.error.code : undefined,
    })
  }

  /** The tokens of a request, reported or estimated. What is estimated is added to the usage of the leg. */
  #counted(step: MeteredStep): Pick<Usage, 'input' | 'output'> {
    const { usage } = step.result
    const used = usedInStep(step) ?? usage
    this.#estimated = {
      input: this.#estimated.input + (used.input ?? 0) - (usage.input ?? 0),
      output: this.#estimated.output + (used.output ?? 0) - (usage.output ?? 0),
    }
    return used
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

  /**
   * Ends the time of the leg.
   * @returns tells the leg, when it is known whether its end was stored, and otherwise why not
   */
  end({ status, usage, steps, warnings }: RunResult): (fault?: HostError) => Promise<void> {
    const seconds = this.#elapsed()
    const first = this.#firstSeconds
    return async (fault) => {
      if (fault?.code === LOST && (await this.#isTaken())) return this.#tellLoss()
      return tellRun(this.#parts, this.#about, {
        status: fault ? (KEPT[fault.code] ?? status) : status,
        steps,
        ...this.#usageWith(usage),
        seconds,
        ...(first === undefined ? {} : { firstSeconds: rounded(first) }),
        ...(this.#upstreamIds.length === 0 ? {} : { upstreamRequestIds: this.#upstreamIds }),
        ...warningFacts(this.#parts, warnings),
      })
    }
  }

  /**
   * Whether another process counts the run. It does not count one that it stopped for a person. A run that is not stored
   * was deleted with its response.
   */
  async #isTaken(): Promise<boolean> {
    const { storage, log } = this.#parts
    const { identity, runId } = this.#about
    try {
      const run = await storage.runs.load(identity, runId)
      return run !== undefined && run.status !== 'aborted'
    } catch (error) {
      log({ level: 'warn', message: messageOf(error), runId })
      return true
    }
  }

  #tellLoss(): void {
    const message =
      'The run was lost: this process showed no sign of life, and another one has taken the run over.'
    this.#parts.log({ level: 'warn', message, code: LOST, ...this.#about })
  }

  #usageWith(usage: Usage): Pick<EndedLeg, 'usage'> & { readonly estimatedTokens?: true } {
    const { input, output } = this.#estimated
    if (input + output === 0) return { usage }
    const whole = { input: (usage.input ?? 0) + input, output: (usage.output ?? 0) + output }
    return { usage: { ...usage, ...whole }, estimatedTokens: true }
  }

  #elapsed(): number {
    return (this.#parts.environment.elapsed() - this.#since) / 1000
  }
}

/** The code of the fault of a leg that another process has taken over. */
const LOST = 'RUN_INTERRUPTED'

/** Whether another process tells of the leg. */
export function isElsewhere(fault: HostError | undefined): boolean {
  return fault?.code === 'HOST_CLOSED' || fault?.code === LOST
}

/** The status of a leg without an end in the log, by the reason. */
const KEPT: { readonly [code: string]: string } = {
  STORAGE_FAILED: 'failed',
  HOST_CLOSED: 'interrupted',
}

/** Counts a run that this process ended because the one that worked on it has gone, and writes its line. */
export function tellLeft(parts: TellingParts, run: StoredRun, leg: LeftLeg): void {
  if (leg.status !== 'interrupted') return
  const about = { runId: run.id, identity: run.owner, model: orderOf(run).agent }
  tellRun(parts, about, { ...leg })
}

type TellingParts = Pick<RunMeasuresParts, 'metrics' | 'log'>

interface EndedLeg {
  readonly status: string
  readonly steps: number
  readonly usage: Usage
  readonly seconds: number
  readonly [fact: string]: unknown
}

function tellRun({ metrics, log }: TellingParts, about: About, leg: EndedLeg): void {
  const { runId, identity, model } = about
  const { status, steps, usage, seconds, ...facts } = leg
  metrics.addRun({ identity, model, status, seconds })
  log({
    level: 'info',
    message: 'run',
    runId,
    identity,
    model,
    status,
    steps,
    seconds: rounded(seconds),
    ...(usage.input === undefined ? {} : { inputTokens: usage.input }),
    ...(usage.output === undefined ? {} : { outputTokens: usage.output }),
    ...facts,
  })
}

/** Seconds to a thousandth. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
