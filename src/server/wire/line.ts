/** A first-in, first-out queue. The time per operation does not grow with its length. */
export class Line<T> {
  #items: T[] = []
  #at = 0

  get first(): T | undefined {
    return this.#items[this.#at]
  }

  get length(): number {
    return this.#items.length - this.#at
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes the first item. */
  shift(): void {
    this.#at++
    // Removed items are dropped in large batches, because `Array.shift` would move all other items each time.
    if (this.#at * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#at)
    this.#at = 0
  }

  /** Drops all items except the first `count`. */
  keep(count: number): void {
    this.#items = this.#items.slice(this.#at, this.#at + count)
    this.#at = 0
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.slice(this.#at)[Symbol.iterator]()
  }
}
