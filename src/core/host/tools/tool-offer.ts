import { READ_RESULT } from '../../results/index.ts'
import { isOffered, type OfferedTool } from '../../tool-schemas/index.ts'

/** The tools of an opened config, as they are on offer at one time. */
export class ToolOffer {
  /** The tools on offer, those that a policy denies, and those of the host that are not available. */
  readonly all: readonly OfferedTool[]
  /** The tools on offer, in order. */
  readonly tools: readonly OfferedTool[]
  /** Made once, not for each call: a model may make thousands of calls beside thousands of tools. */
  readonly #byName: ReadonlyMap<string, OfferedTool>
  /** The tools of the host that were not available. */
  readonly #unavailable: readonly OfferedTool[]

  constructor(all: readonly OfferedTool[]) {
    this.all = all
    this.tools = all.filter(isOffered)
    this.#unavailable = all.filter(({ unavailable }) => unavailable?.() !== undefined)
    const known = all.filter((tool) => !this.#unavailable.includes(tool))
    this.#byName = new Map(known.map((tool) => [tool.name, tool]))
  }

  /** Whether a tool has become available since. */
  get isOutdated(): boolean {
    return this.#unavailable.some(isOffered)
  }

  /** The name of the tool that reads large results. Undefined if the model is not shown it now. */
  get readerName(): string | undefined {
    const isReader = ({ unavailable, ownName }: OfferedTool) =>
      unavailable !== undefined && ownName === READ_RESULT
    return this.all.find((tool) => isReader(tool) && isOffered(tool))?.name
  }

  named(name: string): OfferedTool | undefined {
    return this.#byName.get(name)
  }
}
