/** Which keys belong to another: as the approvals of each run. */
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

  /** In the order in which they came. */
  of(one: string): readonly string[] {
    return [...(this.#keys.get(one) ?? [])]
  }
}
