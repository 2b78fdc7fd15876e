import type { Finder } from './find.ts'
import type { Written } from './written.ts'

const PLACEHOLDER = /<[A-Z][A-Z0-9_]*_\d+>/g

/**
 * Maps values to placeholders for one request. The table is stored only in `context.local`; values never appear in
 * state, logs, errors or the native request.
 */
export class Table {
  readonly #finder: Finder
  /** Placeholder-like texts that the messages already contained. They are not restored. */
  readonly #taken = new Set<string>()
  readonly #placeholders = new Map<string, string>()
  readonly #values = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** All proper prefixes of placeholders. A chunk that ends in one may continue as a placeholder. */
  readonly #beginnings = new Set<string>()

  constructor(finder: Finder) {
    this.#finder = finder
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** Reserves placeholders that occur in a text, so that they are not assigned to values. */
  reserve(text: string): void {
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) this.#taken.add(placeholder)
  }

  redact(text: string): string {
    const spans = this.#finder.find(text)
    if (spans.length === 0) return text
    let redacted = ''
    let at = 0
    for (const { start, end, label } of spans) {
      redacted += text.slice(at, start) + this.#placeholderOf(text.slice(start, end), label)
      at = end
    }
    return redacted + text.slice(at)
  }

  /** The values in a text that must still be redacted. */
  valuesIn(text: string): readonly string[] {
    return this.#finder.find(text).map(({ start, end }) => text.slice(start, end))
  }

  restore(text: string, written: Written = (value) => value): string {
    if (this.isEmpty || !text.includes('<')) return text
    return text.replaceAll(PLACEHOLDER, (placeholder) => {
      const value = this.#values.get(placeholder)
      return value === undefined ? placeholder : written(value)
    })
  }

  /**
   * The index from which the end of a text may be the beginning of a placeholder; the text's length if there is none.
   */
  holdFrom(text: string): number {
    const at = text.lastIndexOf('<')
    return at !== -1 && this.#beginnings.has(text.slice(at)) ? at : text.length
  }

  #placeholderOf(value: string, label: string): string {
    const known = this.#placeholders.get(value)
    if (known !== undefined) return known
    const placeholder = this.#next(label)
    this.#placeholders.set(value, placeholder)
    this.#values.set(placeholder, value)
    for (let end = 1; end < placeholder.length; end++) {
      this.#beginnings.add(placeholder.slice(0, end))
    }
    return placeholder
  }

  #next(label: string): string {
    for (;;) {
      const count = (this.#counts.get(label) ?? 0) + 1
      this.#counts.set(label, count)
      const placeholder = `<${label}_${count}>`
      if (!this.#taken.has(placeholder)) return placeholder
    }
  }
}
