import { type ConfigLayer, type Host, memoryResults, type ResultStore } from '@braidwork/core'
import { hasRetries, type OpenedConfig } from '@braidwork/core/internal'
import type { InventoryTool, ModelChoice, PartialEvent, RunEventBody } from '@braidwork/plugin'
import { chosenEvent, configuredEvent, type RunModel } from './routing.ts'
import { openOptionsOf, type RunOptions } from './run-options.ts'
import type { RunRecord } from './run-record.ts'
import { inventoryEvents } from './tool-inventory.ts'

export interface OpenedModelsParts {
  readonly host: Host
  readonly options: RunOptions
  readonly record: RunRecord
  /** Cancels the run. It aborts when the host closes, while a config is open. */
  readonly cancel: AbortController
  /** Receives events of tools. */
  readonly emit: (event: PartialEvent) => void
}

/** The opened configs of a run: one for each model that it asks. Nearly all runs ask one. */
export class OpenedModels {
  readonly #parts: OpenedModelsParts
  /** Stores what is too large for the model. */
  readonly results: ResultStore
  readonly #ended: OpenedConfig[] = []
  #opened: OpenedConfig | undefined
  #at = 0

  constructor(parts: OpenedModelsParts) {
    this.#parts = parts
    this.results = parts.options.results ?? memoryResults()
  }

  /** The config of the present model, as a layer over that of the host. */
  get config(): ConfigLayer {
    const { config = {} } = this.#parts.options
    return this.#model?.config ?? config
  }

  /** Opens the config of the present model, once for all steps in which the run asks it. */
  async open(): Promise<OpenedConfig> {
    const { host, options, record, cancel, emit } = this.#parts
    const { modelInfo = options.modelInfo } = this.#model ?? {}
    this.#opened ??= await host.open(this.config, {
      ...openOptionsOf(options),
      ...(modelInfo ? { modelInfo } : {}),
      cancel,
      runId: record.runId,
      results: this.results,
      listener: { warn: (warning) => record.warn(warning), emit },
    })
    const ignored = options.retry && ignoredRetries(this.#opened)
    if (ignored) record.warn(ignored)
    return this.#opened
  }

  /**
   * Tells the present model, and the tools that its config has, unless they were told before. LR-01, LR-09
   * @param reason why it is asked, if it is not the first
   */
  toldOf(
    opened: OpenedConfig,
    before?: readonly InventoryTool[],
    reason?: string,
  ): readonly RunEventBody[] {
    return [...this.#chosen(opened, reason), ...inventoryEvents(opened, before)]
  }

  /** Without a routing, the config names the model. A given call asks none. */
  #chosen(opened: OpenedConfig, reason: string | undefined): readonly RunEventBody[] {
    const { routing, call } = this.#parts.options
    if (routing && this.#model) return [chosenEvent(routing, this.#model, reason)]
    return call ? [] : [configuredEvent(this.choiceOf(opened))]
  }

  choiceOf({ resolved }: OpenedConfig): ModelChoice {
    if (this.#model) return this.#model.choice
    const { model } = resolved.config
    return { provider: resolved.plugins.provider.name, ...(model === undefined ? {} : { model }) }
  }

  /** Whether the run may ask one model only. */
  get isOne(): boolean {
    return (this.#parts.options.routing?.candidates.length ?? 1) === 1
  }

  /** Whether the run may ask another model if the present one fails. */
  get hasNext(): boolean {
    return this.#at + 1 < (this.#parts.options.routing?.candidates.length ?? 0)
  }

  /** Moves on to the next model, and tells it together with the tools, if its tools are different. */
  async fallBack(reason: string): Promise<readonly RunEventBody[]> {
    const before = this.#opened
    if (before) this.#ended.push(before)
    this.#opened = undefined
    this.#at++
    return this.toldOf(await this.open(), before?.inventory, reason)
  }

  end(): void {
    for (const opened of this.#ended) opened.end()
    this.#opened?.end()
  }

  get #model(): RunModel | undefined {
    return this.#parts.options.routing?.candidates[this.#at]
  }
}

/** The warning that the provider's own retries are off although its settings ask for some. AW-21 */
export function ignoredRetries({ resolved }: OpenedConfig): string | undefined {
  const { name } = resolved.plugins.provider
  const own = resolved.config.settings?.[name]?.['max_retries']
  if (own === undefined || !hasRetries(resolved)) return undefined
  return `"settings.${name}.max_retries" has no effect, because the run itself repeats requests ("retry").`
}
