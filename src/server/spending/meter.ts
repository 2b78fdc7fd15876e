import type { RunAnswer } from '@braidwork/agent'
import {
  type AgentPlan,
  dollarsFor,
  tokensIn,
  tokensInAll,
  tokensOf,
} from '@braidwork/agent/internal'
import { type ConfigLayer, type EmbedInputs, type Host, mergeLayers } from '@braidwork/core'
import { type Message, type ModelInfo, toMessages } from '@braidwork/plugin'
import type { Amounts, SharedLimits } from '../access/index.ts'
import type { Identity } from '../identity.ts'
import type { Limits } from '../limits.ts'
import type { RunOrder } from '../run-order.ts'
import { Ledger, type LedgerParts } from './ledger.ts'
import { amountsOfStep, type MeteredStep, mostOfStep } from './step-cost.ts'

export interface MeterParts extends LedgerParts {
  readonly host: Host
  readonly limits: Limits
  /** The limits that all servers of the storage count together. */
  readonly shared: SharedLimits
}

/** A run that is about to start. */
export interface MeteredRun {
  readonly identity: Identity
  readonly plan: AgentPlan
  readonly order: Pick<RunOrder, 'agent' | 'tools' | 'settings' | 'call'>
  readonly messages: readonly Message[]
}

/** The estimate made before a run starts. */
export interface Estimate {
  /** The number of messages given to the run. */
  readonly given: number
  /** The approximate number of tokens in the messages, tools and settings. */
  readonly input: number
  /** The most that one request may use; 0 if no limit is set. The cost is 0 if no price is known. */
  readonly mayUse: Amounts
  /** Whether a limit counts what the run uses. */
  readonly isCounted: boolean
}

/** A leg of a run, or other work with a model, that counts towards the limits of an identity until it ends. */
export interface MeteredLeg {
  readonly add: (used: Amounts) => void
  readonly end: () => void
}

const NOTHING: Amounts = { tokens: 0, dollars: 0 }

/** Counts what each request uses, and estimates before a run how much a request may use. */
export class Meter {
  readonly #host: Host
  readonly #limits: Limits
  readonly #shared: SharedLimits
  readonly #ledger: Ledger

  /** @param earlier a meter whose costs are not all written yet */
  constructor({ host, limits, shared, ...parts }: MeterParts, earlier?: Meter) {
    this.#host = host
    this.#limits = limits
    this.#shared = shared
    this.#ledger = earlier ? earlier.#ledger : new Ledger(parts)
  }

  /**
   * Reads what an identity spent on other servers. If the storage fails, the amounts known before stay in force.
   */
  async refresh(identity: Identity): Promise<void> {
    if (!this.#limits.countsCosts) return
    const spent = await this.#ledger.elsewhere(identity)
    if (spent) this.#limits.takeElsewhere(identity, spent)
  }

  /**
   * Begins work that counts towards the limits of an identity.
   * @throws {HostError} TOO_MANY_REQUESTS, STORAGE_FAILED
   */
  async begin(identity: Identity, model: string, mayUse: Amounts): Promise<MeteredLeg> {
    const end = this.#limits.beginRun(identity, mayUse.dollars)
    try {
      const reservation = await this.#shared.beginRun(identity, model, mayUse)
      return {
        add: (used) => {
          reservation?.add(used)
          this.#addCost(identity, used.dollars)
        },
        end: () => {
          reservation?.end()
          end()
        },
      }
    } catch (error) {
      end()
      throw error
    }
  }

  /** Estimates what a run's next request may use. */
  async estimate({ identity, plan, order, messages }: MeteredRun): Promise<Estimate> {
    const given = messages.length
    if (plan.remote || order.call || !this.#isCounted(identity, order.agent))
      return { given, input: 0, mayUse: NOTHING, isCounted: false }
    const { config } = plan
    // The run itself will report an error in its config.
    const facts = await this.#host.modelInfo(config).catch((): ModelInfo => ({}))
    const modelInfo = { ...facts, ...plan.modelInfo }
    const { max_output_tokens: maxOutput } = mergeLayers(this.#host.config, config)
    const input = (await tokensInAll(messages)) + besides(order)
    return { given, input, mayUse: mostOfStep({ modelInfo, input, maxOutput }), isCounted: true }
  }

  /** Estimates what embeddings use. */
  async estimateEmbeddings(
    identity: Identity,
    { name, config }: { readonly name: string; readonly config: ConfigLayer },
    inputs: EmbedInputs,
  ): Promise<Amounts> {
    const tokens = inputs.reduce((sum, input) => sum + tokensOfInput(input), 0)
    if (!this.#isCounted(identity, name)) return { tokens, dollars: 0 }
    const { price } = await this.#host.modelInfo(config).catch((): ModelInfo => ({}))
    return { tokens, dollars: dollarsFor({ input: tokens, output: 0 }, price) ?? 0 }
  }

  /** Counts embeddings. @returns the cost in US dollars, 0 if no price is known */
  countEmbeddings(leg: MeteredLeg, { price }: ModelInfo, tokens: number): number {
    const dollars = dollarsFor({ input: tokens, output: 0 }, price) ?? 0
    leg.add({ tokens, dollars })
    return dollars
  }

  /** Resolves when all counted amounts are stored. */
  async settled(): Promise<void> {
    await Promise.all([this.#ledger.settled(), this.#shared.settled()])
  }

  /** Counts a finished request of a run, however it ended. */
  count(leg: MeteredLeg, { isCounted }: Pick<Estimate, 'isCounted'>, step: MeteredStep): void {
    if (isCounted) leg.add(amountsOfStep(step))
  }

  #isCounted(identity: Identity, model: string): boolean {
    return this.#limits.countsCosts || this.#shared.countsAmounts(identity, model)
  }

  #addCost(identity: Identity, cost: number): void {
    if (cost <= 0 || !this.#limits.countsCosts) return
    this.#limits.addCost(identity, cost)
    this.#ledger.save(identity, this.#limits.spentBy(identity))
  }
}

/** Describes a finished request of a run. Its input is estimated only where the model API did not report it. */
export function stepOf(
  { estimate, order }: { readonly estimate: Estimate; readonly order?: MeteredRun['order'] },
  { result, messages, model, seconds }: RunAnswer,
): MeteredStep {
  const { given, input, isCounted } = estimate
  const estimated = () => {
    const asked = typeof messages === 'string' ? toMessages(messages) : messages
    if (isCounted) return input + tokensIn(asked.slice(given))
    return tokensIn(asked) + (order ? besides(order) : 0)
  }
  return {
    result,
    modelInfo: model.info,
    input: result.usage.input ? 0 : estimated(),
    seconds,
    maxOutput: model.config.max_output_tokens,
  }
}

function tokensOfInput(input: EmbedInputs[number]): number {
  return typeof input === 'string' ? tokensOf(input) : input.length
}

/** The tokens of a request apart from its messages. */
function besides({ tools, settings }: MeteredRun['order']): number {
  return tokensOf(JSON.stringify([tools, settings]))
}
