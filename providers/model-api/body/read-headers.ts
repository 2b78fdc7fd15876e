import type { IncomingHttpHeaders } from 'node:http'

/**
 * Read-only headers for places that expect a `Headers` object. Creating and iterating a real `Headers` costs more
 * than sending it.
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
