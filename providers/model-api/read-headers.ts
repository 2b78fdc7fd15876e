import type { IncomingHttpHeaders } from 'node:http'

/**
 * Headers that are read and never changed, for where a `Headers` is expected: to make one of those, and to list it,
 * costs more than to send them.
 */
export class ReadHeaders {
  readonly #values: IncomingHttpHeaders

  constructor(values: IncomingHttpHeaders) {
    this.#values = values
  }

  get(name: string): string | null {
    const key = name.toLowerCase()
    return Object.hasOwn(this.#values, key) ? String(this.#values[key]) : null
  }

  entries(): IterableIterator<[string, string]> {
    const pairs = Object.entries(this.#values)
    return pairs.map(([name, value]): [string, string] => [name, String(value)]).values()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}
