import type { RunAnswer } from '@braidwork/agent'
import { type ConfigLayer, type Host, mergeLayers } from '@braidwork/core'
import type { Message, ModelInfo } from '@braidwork/plugin'
import type { Identity } from '../identity.ts'
import type { Limits } from '../limits.ts'
import type { RunOrder } from '../run-order.ts'
import { Ledger, type LedgerParts } from './ledger.ts'
import { costOfStep, mostOfStep } from './step-cost.ts'
import { tokensIn, tokensInAll, tokensOf } from './tokens.ts'

export interface MeterParts extends LedgerParts {
  readonly host: Host
  readonly limits: Limits
}

/** A run that is about to begin. */
export interface MeteredRun {
  readonly config: ConfigLayer
  readonly order: RunOrder
  readonly messages: readonly Message[]
}

/** What is known of a run before it begins. */
export interface Estimate {
  /** How many messages it was given. */
  readonly given: number
  /** Tokens of these, and of what came with them, about. */
  readonly input: number
  /** What a request of it costs at most, in US dollars; 0 where no price is known, or nobody asks. */
  readonly mayCost: number
}

/** Counts what runs cost, request by request, and says before what one may cost. */
export class Meter {
  readonly #host: Host
  readonly #limits: Limits
  readonly #ledger: Ledger

  constructor({ host, limits, ...parts }: MeterParts) {
    this.#host = host
    this.#limits = limits
    this.#ledger = new Ledger(parts)
  }

  /** Asks what an identity spent elsewhere; where the storage cannot tell, what was known before counts. */
  async refresh(identity: Identity): Promise<void> {
    if (!this.#limits.countsCosts) return
    const spent = await this.#ledger.elsewhere(identity)
    if (spent) this.#limits.takeElsewhere(identity, spent)
  }

  /** What is known before of what a run's next request costs. */
  async estimate({ config, order, messages }: MeteredRun): Promise<Estimate> {
    const given = messages.length
    if (!this.#limits.countsCosts) return { given, input: 0, mayCost: 0 }
    // What is wrong with its config is told by the run itself.
    const modelInfo = await this.#host.modelInfo(config).catch((): ModelInfo => ({}))
    const { max_output_tokens: maxOutput } = mergeLayers(this.#host.config, config)
    const input = (await tokensInAll(messages)) + besides(order)
    return { given, input, mayCost: mostOfStep({ modelInfo, input, maxOutput }) }
  }

  /** When all costs are stored. */
  settled(): Promise<void> {
    return this.#ledger.settled()
  }

  /** Counts a request of a run that is over, however it ended. */
  count(identity: Identity, { given, input }: Estimate, answer: RunAnswer): void {
    const { result, messages, model, seconds } = answer
    if (!this.#limits.countsCosts || !model) return
    const cost = costOfStep({
      result,
      modelInfo: model.info,
      input: input + (typeof messages === 'string' ? 0 : tokensIn(messages.slice(given))),
      seconds,
      maxOutput: model.config.max_output_tokens,
    })
    if (cost <= 0) return
    this.#limits.addCost(identity, cost)
    this.#ledger.save(identity, this.#limits.spentBy(identity))
  }
}

/** Tokens of what a request brings beside its messages. */
function besides({ tools, settings }: RunOrder): number {
  return tokensOf(JSON.stringify([tools, settings]))
}
