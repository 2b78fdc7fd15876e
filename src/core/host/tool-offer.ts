import { isOffered, type OfferedTool } from '../tool-schemas/index.ts'

/** The tools of an opened config. They do not change while it is open. LR-17 */
export class ToolOffer {
  /** The tools on offer, and those that a policy denies. */
  readonly all: readonly OfferedTool[]
  /** The tools on offer, in order. */
  readonly tools: readonly OfferedTool[]
  /** Made once, not for each call: a model may make thousands of calls beside thousands of tools. */
  readonly #byName: ReadonlyMap<string, OfferedTool>

  constructor(all: readonly OfferedTool[]) {
    this.all = all
    this.tools = all.filter(isOffered)
    this.#byName = new Map(all.map((tool) => [tool.name, tool]))
  }

  named(name: string): OfferedTool | undefined {
    return this.#byName.get(name)
  }
}
