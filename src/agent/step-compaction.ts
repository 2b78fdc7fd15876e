import type { Host, Result } from '@braidwork/core'
import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import {
  addUsage,
  type Message,
  type RunEventBody,
  toMessages,
  type Usage,
  type WithinRun,
} from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import {
  type AskModel,
  archiveFile,
  type CompactionPolicy,
  type CompactionSection,
  compactionPolicyOf,
  type LegCompaction,
  type LegCut,
  legCutOf,
  newlyReplaced,
  OWN_COMPACTION,
  previewOf,
  replacementOf,
  shownBefore,
  stayingOf,
  summaryModelOf,
} from './compaction/index.ts'
import { systemEnvironment } from './environment.ts'
import { tokensIn } from './estimated-tokens.ts'
import { type CompactionSummary, summaryIn } from './history/index.ts'
import { isInterruption } from './interruption.ts'
import type { OpenedModels } from './opened-models.ts'
import type { RunOptions } from './run-options.ts'
import type { RunRecord } from './run-record.ts'
import { textOnly } from './text-only.ts'

export interface StepCompactionParts {
  readonly host: Host
  readonly options: RunOptions
  readonly record: RunRecord
  readonly models: OpenedModels
  readonly signal: AbortSignal
}

type Tell = Sink<readonly RunEventBody[]>

/** The model as it is now, and a sum of what is asked of it. */
interface Asking {
  readonly opened: OpenedConfig
  readonly policy: CompactionPolicy
  usage: Usage
}

/**
 * Compacts a run before its steps, by the context policy of its agent: a summary takes the place of what the run was
 * given and of its older steps. What the user asked stays, and the result of the run has all messages. CT-20, AW-42
 */
export class StepCompaction {
  readonly #parts: StepCompactionParts
  /** The tokens of the last request with its answer, as the API counted them. */
  #counted: number | undefined
  /** One that failed would fail again in the next step. */
  #isGivenUp = false

  constructor(parts: StepCompactionParts) {
    this.#parts = parts
    const { resume } = parts.options
    if (resume && isInterruption(resume)) this.note(resume.counted ?? {})
  }

  /** Takes note of what the API counted of a request. */
  note({ input = 0, output = 0 }: Usage): void {
    this.#counted = input + output > 0 ? input + output : undefined
  }

  /** Compacts before the request of a step, if the messages have become too long. A failure is told, and ends nothing. */
  async compact(opened: OpenedConfig, tell: Tell): Promise<void> {
    if (this.#isGivenUp || this.#limits?.autocompact_threshold === undefined) return
    if (opened.resolved.tags.has(OWN_COMPACTION)) return
    const policy = await this.#policyFor(opened)
    if (!policy.isAutomatic || this.#tokens < (policy.threshold ?? 0)) return
    const cut = this.#cutFor(policy)
    if (!cut) return
    const { environment = systemEnvironment } = this.#parts.options
    const compactionId = environment.newId('compaction')
    const asking: Asking = { opened, policy, usage: {} }
    await tell([{ type: 'compaction-start', compactionId, trigger: 'threshold' }])
    try {
      const done = await this.#replace(cut, asking)
      await tell([{ type: 'compaction-end', compactionId, done, usage: asking.usage }])
      this.#counted = undefined
    } catch (error) {
      if (this.#parts.signal.aborted) throw error
      this.#isGivenUp = true
      const { usage } = asking
      await tell([{ type: 'compaction-end', compactionId, error: inShort(error), usage }])
    }
  }

  get #limits() {
    return this.#parts.options.agent?.context_policy
  }

  async #policyFor({ modelInfo }: OpenedConfig): Promise<CompactionPolicy> {
    const { host, models, options } = this.#parts
    const section = options.agent?.sections?.['compaction'] as CompactionSection
    const summary = await summaryModelOf(host, models.config, section)
    const room = { ...modelInfo, taken: tokensIn(this.#prompt), ...(summary && { summary }) }
    return compactionPolicyOf(section, this.#limits, room)
  }

  /** The system messages in front: with them the model is asked for the summary. CT-21 */
  get #prompt(): readonly Message[] {
    const given = toMessages(this.#parts.options.messages)
    const end = given.findIndex(({ role }) => role !== 'system')
    return given.slice(0, Math.max(0, end))
  }

  #cutFor({ suffix }: CompactionPolicy): LegCut | undefined {
    const { options, record } = this.#parts
    const { messages, starts, compactions } = record
    const given = toMessages(options.messages)
    const isStored = options.committed !== undefined
    return legCutOf({ given, messages, starts, last: compactions.at(-1), isStored }, suffix)
  }

  /** The tokens of the next request: those that were counted, and what came since; else an estimate. CT-20 */
  get #tokens(): number {
    const { options, record } = this.#parts
    const { messages, compactions } = record
    if (this.#counted === undefined) {
      const estimated = tokensIn(this.#shown(compactions.at(-1)))
      const isFirst = messages.length === 0 && compactions.length === 0
      return isFirst ? Math.min(estimated, countedIn(toMessages(options.messages))) : estimated
    }
    const answered = messages.findLastIndex(({ role }) => role === 'assistant')
    return this.#counted + tokensIn(messages.slice(answered + 1))
  }

  #shown(compaction: LegCompaction | undefined): readonly Message[] {
    const { options, record } = this.#parts
    const given = toMessages(options.messages)
    if (!compaction) return [...given, ...record.messages]
    const before = shownBefore(given, record.messages, compaction)
    return [...before, ...record.messages.slice(compaction.cut)]
  }

  /** Replaces all before a step: first the archive is stored, then it is told. CT-23 */
  async #replace({ step, ...place }: LegCut, asking: Asking) {
    const { record, models, options } = this.#parts
    const before = record.compactions.at(-1)
    const given = toMessages(options.messages)
    const shown = this.#shown(before)
    const { messages } = record
    const replaced = newlyReplaced({ given, messages, last: before }, place)
    const earlier = before ?? given.map(summaryIn).findLast((made) => made !== undefined)
    const staying = stayingOf(given, messages, place)
    const parts = { replaced, rest: [...staying, ...messages.slice(place.cut)], earlier }
    const made = await replacementOf(parts, asking.policy, this.#ask(asking))
    const archive = await models.results.put(
      archiveFile([...markerLine(earlier), ...replaced.map((message) => ({ message }))]),
    )
    const count = replaced.filter((message) => !staying.includes(message)).length
    const marker = { ...made, archive, replaced: (earlier?.replaced ?? 0) + count }
    record.addCompaction({ ...marker, ...place })
    const after = tokensIn(this.#shown(record.compactions.at(-1)))
    const tokens = { before: tokensIn(shown), after }
    const within: WithinRun = { step, archive, ...made }
    const preview = previewOf(made.summary)
    return { preview, replaced: marker.replaced, runIds: [record.runId], tokens, within }
  }

  /** Asks the model of the run, in its config, with its prompt in front. The run counts it. */
  #ask(asking: Asking): AskModel {
    const { host, models, options, signal } = this.#parts
    const { environment = systemEnvironment } = options
    return async (layer, message) => {
      const config = textOnly(host, models.config, layer)
      const messages = [...this.#prompt, message]
      const from = environment.elapsed()
      const result = await host.send(config, messages, { signal })
      this.#count(asking, { result, messages, seconds: (environment.elapsed() - from) / 1000 })
      return result
    }
  }

  #count(asking: Asking, answer: Answer): void {
    const { record, options } = this.#parts
    const { opened } = asking
    asking.usage = addUsage(asking.usage, answer.result.usage)
    record.addDiscarded(answer.result)
    const model = { info: opened.modelInfo, config: opened.resolved.config }
    options.onAnswer?.({ ...answer, model })
  }
}

interface Answer {
  readonly result: Result
  readonly messages: readonly Message[]
  readonly seconds: number
}

/** The line of an archive with the compaction before. It is the same after a crash. */
function markerLine(earlier: CompactionSummary | undefined): readonly object[] {
  if (!earlier) return []
  const { summary, replaced, archive, kept } = earlier
  return [{ compaction: { summary, replaced, archive, kept } }]
}

/** The tokens of messages by what the API counted of their last answer. Infinite if that is not known. CT-20 */
function countedIn(messages: readonly Message[]): number {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const { input = 0, output = 0 } = messages[at]?.metadata?.usage ?? {}
  const counted = input + output
  return counted > 0 ? counted + tokensIn(messages.slice(at + 1)) : Number.POSITIVE_INFINITY
}

/** What clients may read of a failure: not what the model API said. */
function inShort(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = toHostError(error)
  const isOurs = code === 'COMPACTION_FAILED' || code === 'STORAGE_QUOTA_EXCEEDED'
  return { code, message: isOurs ? message : `The summary could not be made (${code}).` }
}
