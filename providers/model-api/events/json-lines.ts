import type { FrameOptions, FrameParser } from './framing.ts'

/** Divides a body of lines that are JSON each. Empty lines are skipped. https://github.com/ndjson/ndjson-spec */
export class JsonLinesParser implements FrameParser {
  readonly #options: FrameOptions
  /** The beginning of a line that has not ended. */
  #rest = ''

  constructor(options: FrameOptions) {
    this.#options = options
  }

  feed(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#pass(this.#rest + text.slice(from, end))
      this.#rest = ''
      from = end + 1
    }
    this.#rest += text.slice(from)
    const { maxBufferSize, onError } = this.#options
    if (this.#rest.length > maxBufferSize) onError({ type: 'max-buffer-size-exceeded' })
  }

  #pass(line: string): void {
    const data = line.trim()
    if (data !== '') this.#options.onEvent({ data })
  }
}
