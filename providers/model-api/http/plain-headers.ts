import { ReadHeaders } from '../body/read-headers.ts'

/**
 * Headers for the SDKs in the bundles, in place of the global class `Headers`. Reading that global loads Node's `fetch`
 * client, which takes longer than everything else before a first request. Names and values are not checked here:
 * Node's HTTP client refuses invalid ones.
 */
export class PlainHeaders extends ReadHeaders {
  readonly #values: Record<string, string>

  constructor(given: NonNullable<RequestInit['headers']> = {}) {
    const values: Record<string, string> = Object.create(null)
    super(values)
    this.#values = values
    const pairs = Symbol.iterator in given ? given : Object.entries(given)
    for (const [name, value] of pairs as Iterable<readonly [string, string]>) {
      this.append(name, value)
    }
  }

  has(name: string): boolean {
    return name.toLowerCase() in this.#values
  }

  set(name: string, value: string): void {
    this.#values[name.toLowerCase()] = value.trim()
  }

  append(name: string, value: string): void {
    const known = this.get(name)
    this.#values[name.toLowerCase()] = known === null ? value.trim() : `${known}, ${value.trim()}`
  }

  delete(name: string): void {
    delete this.#values[name.toLowerCase()]
  }
}
