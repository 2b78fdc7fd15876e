/** What waits in line: first in, first out, in a time that does not grow with its length. */
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

  /** Lets the first go. */
  shift(): void {
    this.#at++
    // What is gone is let go of in one piece: a list moves all of its items when its first is taken.
    if (this.#at * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#at)
    this.#at = 0
  }

  /** Lets all go but the first so many. */
  keep(count: number): void {
    this.#items = this.#items.slice(this.#at, this.#at + count)
    this.#at = 0
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.slice(this.#at)[Symbol.iterator]()
  }
}
