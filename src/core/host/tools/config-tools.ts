import type { Config, Message } from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import { type Bound, lowerOffered, prepareTools } from '../../chain/index.ts'
import { LargeResults, type ResultStore, readResultTool, ToldResults } from '../../results/index.ts'
import type { HostTool, NamedTool, OfferedTool, ToolReason } from '../../tool-schemas/index.ts'
import type { HostCore } from '../core.ts'
import { maskedTool, masksFor, type ToolMasks } from './tool-masks.ts'
import { ToolOffer } from './tool-offer.ts'

/** A feature with this tag shows the model long results only in part, for as long as it can read the rest. AW-44 */
const SHORTENS = 'result-shortening'

const NOTHING = new ToolOffer([])

/** The dependencies of {@link ConfigTools}. */
export interface ConfigToolsParts {
  readonly core: Pick<HostCore, 'secrets'>
  readonly config: Config
  /** Absent if large results stay whole. */
  readonly store: ResultStore | undefined
  readonly tags: ReadonlySet<string>
  /** Says why the model is not to be shown a tool. Absent if it may be shown every tool. */
  readonly withholds: ((tool: NamedTool) => string | ToolReason | undefined) | undefined
  /** Called with all tools when the plugins have been asked for them. */
  readonly onAsked: (tools: readonly OfferedTool[]) => Promise<void>
  /** Makes a request that only asks for tools. It is never sent. */
  readonly request: (hostTools: readonly HostTool[]) => Bound
}

/**
 * The tools of an opened config. Their names and schemas do not change while it is open; a tool of the host may become
 * available for later requests. LR-17
 */
export class ConfigTools {
  readonly results: LargeResults | undefined
  readonly #masks: ToolMasks
  readonly #request: ConfigToolsParts['request']
  readonly #hostTools: readonly HostTool[]
  readonly #withholds: ConfigToolsParts['withholds']
  readonly #onAsked: ConfigToolsParts['onAsked']
  #offering: Promise<ToolOffer> | undefined
  #offer = NOTHING

  constructor({ core, config, store, tags, request, withholds, onAsked }: ConfigToolsParts) {
    this.#masks = masksFor(core, config)
    this.#withholds = withholds
    this.#onAsked = onAsked
    const limit = limitsOf(config).tool_result_bytes
    const readerName = () => this.#offer.readerName
    const told = tags.has(SHORTENS) ? new ToldResults() : undefined
    this.results = store && new LargeResults({ store, limit, readerName, told })
    this.#hostTools = this.results ? [readResultTool(this.results)] : []
    this.#request = request
  }

  /** What the calls of the tools run with: the store of large results, and the masks for what the tools tell. */
  get own(): ToolMasks & Pick<ConfigTools, 'results'> {
    return { ...this.#masks, results: this.results }
  }

  /** The tools that were on offer when they were last asked for. */
  get last(): ToolOffer {
    return this.#offer
  }

  /** Asks the plugins for their tools, the first time that it is called. Returns the tools on offer now. */
  async offer(): Promise<readonly OfferedTool[]> {
    this.#offering ??= this.#ask()
    this.#offer = await this.#offering
    if (this.#offer.isOutdated) {
      this.#offering = this.#lowerAgain(this.#offer.all)
      this.#offer = await this.#offering
    }
    return this.#offer.tools
  }

  /** Takes note of the large results to which messages refer. */
  note(messages: readonly Message[]): void {
    this.results?.note(messages)
  }

  async #ask(): Promise<ToolOffer> {
    const all = (await prepareTools(this.#request(this.#hostTools))).map((tool) =>
      this.#judged(tool),
    )
    await this.#onAsked(all)
    return all.length === 0 ? NOTHING : new ToolOffer(all)
  }

  #judged(told: OfferedTool): OfferedTool {
    const tool = maskedTool(told, this.#masks.maskValue)
    const { name, ownName, plugin } = tool
    const withheld = this.#withholds?.({ name, ownName, plugin: plugin?.name })
    if (withheld === undefined) return tool
    if (typeof withheld === 'string') return { ...tool, withheld }
    // Of a server that does not start, no list can name the tools.
    if (tool.withheld !== undefined && withheld.why?.code === 'TOOL_UNLISTED') return tool
    return { ...tool, withheld: withheld.text, withheldFor: withheld.why }
  }

  async #lowerAgain(all: readonly OfferedTool[]): Promise<ToolOffer> {
    return new ToolOffer(await lowerOffered(this.#request(this.#hostTools), all))
  }
}
