/** The most texts that are kept. */
const MOST = 256
/** The longest text that is kept, in UTF-16 code units. */
const LONGEST = 16_384

/** Values by texts, for the texts that were used last. Long texts are not kept. */
export class KnownTexts<T> {
  /** The text that was not used for the longest time comes first. */
  readonly #values = new Map<string, T>()

  get(text: string): T | undefined {
    return this.#values.get(text)
  }

  set(text: string, value: T): void {
    if (text.length > LONGEST) return
    this.#values.delete(text)
    this.#values.set(text, value)
    const [unused] = this.#values.keys()
    if (unused !== undefined && this.#values.size > MOST) this.#values.delete(unused)
  }
}
