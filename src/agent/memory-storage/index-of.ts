/** An index from one key to many, for example from a run's id to the ids of its approvals. */
export class IndexOf {
  readonly #keys = new Map<string, Set<string>>()

  add(to: string, key: string): void {
    const keys = this.#keys.get(to)
    if (keys) keys.add(key)
    else this.#keys.set(to, new Set([key]))
  }

  delete(from: string, key: string): void {
    const keys = this.#keys.get(from)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(from)
  }

  /** The keys of one group, in the order in which they were added. */
  of(one: string): readonly string[] {
    return [...(this.#keys.get(one) ?? [])]
  }
}
