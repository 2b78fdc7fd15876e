import type { RunAnswer } from '@braidwork/agent'
import { type ConfigLayer, type EmbedInputs, type Host, mergeLayers } from '@braidwork/core'
import type { Message, ModelInfo } from '@braidwork/plugin'
import type { Identity } from '../identity.ts'
import type { Limits } from '../limits.ts'
import type { RunOrder } from '../run-order.ts'
import { Ledger, type LedgerParts } from './ledger.ts'
import { dollarsFor } from './price.ts'
import { costOfStep, mostOfStep } from './step-cost.ts'
import { tokensIn, tokensInAll, tokensOf } from './tokens.ts'

export interface MeterParts extends LedgerParts {
  readonly host: Host
  readonly limits: Limits
}

/** A run that is about to start. */
export interface MeteredRun {
  readonly config: ConfigLayer
  readonly order: RunOrder
  readonly messages: readonly Message[]
}

/** The estimate made before a run starts. */
export interface Estimate {
  /** The number of messages given to the run. */
  readonly given: number
  /** The approximate number of tokens in the messages, tools and settings. */
  readonly input: number
  /** The highest cost of one request in US dollars; 0 if no price is known or no cost limit is set. */
  readonly mayCost: number
}

export interface InputEstimate {
  readonly tokens: number
  readonly mayCost: number
}

/** Counts the cost of each request, and estimates before a run how much a request may cost. */
export class Meter {
  readonly #host: Host
  readonly #limits: Limits
  readonly #ledger: Ledger

  constructor({ host, limits, ...parts }: MeterParts) {
    this.#host = host
    this.#limits = limits
    this.#ledger = new Ledger(parts)
  }

  /**
   * Reads what an identity spent on other servers. If the storage fails, the amounts known before stay in force.
   */
  async refresh(identity: Identity): Promise<void> {
    if (!this.#limits.countsCosts) return
    const spent = await this.#ledger.elsewhere(identity)
    if (spent) this.#limits.takeElsewhere(identity, spent)
  }

  /** Estimates the cost of a run's next request. */
  async estimate({ config, order, messages }: MeteredRun): Promise<Estimate> {
    const given = messages.length
    if (!this.#limits.countsCosts) return { given, input: 0, mayCost: 0 }
    // The run itself will report an error in its config.
    const modelInfo = await this.#host.modelInfo(config).catch((): ModelInfo => ({}))
    const { max_output_tokens: maxOutput } = mergeLayers(this.#host.config, config)
    const input = (await tokensInAll(messages)) + besides(order)
    return { given, input, mayCost: mostOfStep({ modelInfo, input, maxOutput }) }
  }

  /** Estimates the tokens of embeddings, and their cost in US dollars; 0 if no price is known or no limit is set. */
  async estimateEmbeddings(config: ConfigLayer, inputs: EmbedInputs): Promise<InputEstimate> {
    const tokens = inputs.reduce((sum, input) => sum + tokensOfInput(input), 0)
    if (!this.#limits.countsCosts) return { tokens, mayCost: 0 }
    const { price } = await this.#host.modelInfo(config).catch((): ModelInfo => ({}))
    return { tokens, mayCost: dollarsFor({ input: tokens, output: 0 }, price) ?? 0 }
  }

  /** Counts the cost of embeddings. @returns the cost in US dollars, 0 if no price is known */
  countEmbeddings(identity: Identity, { price }: ModelInfo, tokens: number): number {
    const cost = dollarsFor({ input: tokens, output: 0 }, price) ?? 0
    if (this.#limits.countsCosts) this.#add(identity, cost)
    return cost
  }

  /** Resolves when all costs are stored. */
  settled(): Promise<void> {
    return this.#ledger.settled()
  }

  /** Counts the cost of a finished request, however it ended. */
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
    this.#add(identity, cost)
  }

  #add(identity: Identity, cost: number): void {
    if (cost <= 0) return
    this.#limits.addCost(identity, cost)
    this.#ledger.save(identity, this.#limits.spentBy(identity))
  }
}

function tokensOfInput(input: EmbedInputs[number]): number {
  return typeof input === 'string' ? tokensOf(input) : input.length
}

/** The tokens of a request apart from its messages. */
function besides({ tools, settings }: RunOrder): number {
  return tokensOf(JSON.stringify([tools, settings]))
}
