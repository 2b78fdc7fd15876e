import type { Environment, Storage, StoredRun } from '@braidwork/agent'

/** No plugin can have this name. */
const OWN = 'a2a:notifications'
const LEFT = 'left/'
/** How long a process that lives may take to post the state of a run that has ended, in milliseconds. */
const LONGEST_DELIVERY = 60_000

/**
 * The runs whose states are being posted, in the storage. A mark that is still there a while after its run has ended is
 * of a process that has died, and its last state is posted by another one.
 */
export class LeftNotices {
  readonly #storage: Storage
  readonly #environment: Environment
  /** Since when a run has a mark and no process that works on it, by run id. */
  readonly #since = new Map<string, number>()
  /** How much work of this process needs the mark of a run, by run id. */
  readonly #uses = new Map<string, number>()

  constructor(storage: Storage, environment: Environment) {
    this.#storage = storage
    this.#environment = environment
  }

  add({ id, owner }: StoredRun): Promise<void> {
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1)
    return this.#values.set(`${LEFT}${id}`, { owner })
  }

  /** Removes the mark, unless other work for the run needs it. */
  async remove({ id }: StoredRun): Promise<void> {
    const uses = (this.#uses.get(id) ?? 1) - 1
    if (uses > 0) {
      this.#uses.set(id, uses)
      return
    }
    this.#uses.delete(id)
    this.#since.delete(id)
    await this.#values.delete(`${LEFT}${id}`)
  }

  /** The runs whose states nobody posts any more. @throws {HostError} STORAGE_FAILED */
  async due(): Promise<readonly StoredRun[]> {
    const ids = (await this.#values.list(LEFT)).map((key) => key.slice(LEFT.length))
    for (const id of this.#since.keys()) if (!ids.includes(id)) this.#since.delete(id)
    const due: StoredRun[] = []
    for (const id of ids) {
      const run = await this.#load(id)
      if (run && this.#isDue(run)) due.push(run)
    }
    return due
  }

  async #load(id: string): Promise<StoredRun | undefined> {
    const mark = (await this.#values.get(`${LEFT}${id}`)) as { readonly owner: string } | undefined
    if (!mark) return undefined
    const run = await this.#storage.runs.load(mark.owner, id)
    // The run was deleted with its conversation.
    if (!run) await this.#values.delete(`${LEFT}${id}`)
    return run
  }

  #isDue({ id, status }: StoredRun): boolean {
    if (status === 'active') {
      this.#since.delete(id)
      return false
    }
    const now = this.#environment.elapsed()
    const since = this.#since.get(id) ?? now
    this.#since.set(id, since)
    return now - since >= LONGEST_DELIVERY
  }

  get #values() {
    return this.#storage.storageOf(OWN)
  }
}
