import type { Resumption } from '../approvals.ts'
import type { LeftChild } from '../children/index.ts'
import type { Lease, RunPlace, Storage, StoredRun } from '../storage/index.ts'
import { leftChild } from './left-child.ts'

export interface LeftTreeParts {
  readonly storage: Storage
  /** A lease for this process that starts now. */
  readonly lease: () => Lease
}

/** The children of a run that went on after its process had ended, by their places in the tree. */
export class LeftTree {
  readonly #parts: LeftTreeParts
  readonly #parent: StoredRun
  /** The runs by their places, read once: only this process writes them from now on. */
  #runs: Promise<ReadonlyMap<string, StoredRun>> | undefined

  constructor(parts: LeftTreeParts, parent: StoredRun) {
    this.#parts = parts
    this.#parent = parent
  }

  /** Finds the child of a call. One that was in the middle of its work belongs to this process from then on. */
  async find(place: RunPlace, answered?: Resumption): Promise<LeftChild | undefined> {
    this.#runs ??= this.#read()
    const found = (await this.#runs).get(keyOf(place))
    if (!found) return undefined
    const { storage, lease } = this.#parts
    const { owner, id } = found
    const run =
      (await storage.runs.seize(owner, id, lease())) ?? (await storage.runs.load(owner, id))
    return run && leftChild(run, storage, answered)
  }

  async #read(): Promise<ReadonlyMap<string, StoredRun>> {
    const { id, owner, place } = this.#parent
    const tree = await this.#parts.storage.runs.tree(owner, place?.rootRunId ?? id)
    // Of the whole tree: the members of a team are asked by its leader, which is a child itself.
    return new Map(tree.flatMap((run) => (run.place ? [[keyOf(run.place), run] as const] : [])))
  }
}

/** The place of a run in its tree. A call of a team asks each of its members once. */
function keyOf({ parentRunId, parentStep, parentCallId, task, agent }: RunPlace): string {
  return JSON.stringify([parentRunId, parentStep, parentCallId, task, agent])
}
