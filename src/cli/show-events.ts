import type { RunEvent, ToolResultPart } from '../events/index.ts'
import { shorten, stylesOf, visible } from './terminal.ts'

const LONGEST_VALUE = 160

/**
 * Shows a run in a terminal: the answer's text on standard output, and beside it, on standard error,
 * reasoning and tool calls.
 */
export class EventView {
  readonly #styles = stylesOf(process.stderr)
  /** What the last character went to, so that the other output begins a line of its own. */
  #line: 'none' | 'text' | 'aside' = 'none'

  show(event: RunEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.#text(event.delta)
        break
      case 'reasoning-delta':
        this.#aside(this.#styles.dim(visible(event.delta)))
        break
      case 'tool-execution-start':
        this.#note(`→ ${event.name}(${show(event.input)})`)
        break
      case 'tool-execution-progress':
        this.#note(`  … ${show(event.progress)}`)
        break
      case 'tool-execution-end':
        this.#note(resultLine(event.result))
        break
      case 'tool-result':
        this.#note(resultLine(event))
        break
      case 'source':
        this.#note(`source ${event.url ?? event.title ?? ''}`)
        break
      case 'file':
        this.#note(`file ${event.name ?? ''} (${event.mediaType})`)
        break
      case 'abort':
        this.#note('(stopped)')
        break
      default:
        break
    }
  }

  /** Ends the line that is open. */
  end(): void {
    if (this.#line === 'text') process.stdout.write('\n')
    if (this.#line === 'aside') process.stderr.write('\n')
    this.#line = 'none'
  }

  #text(delta: string): void {
    if (delta === '') return
    if (this.#line === 'aside') this.end()
    process.stdout.write(visible(delta))
    this.#line = delta.endsWith('\n') ? 'none' : 'text'
  }

  #aside(text: string): void {
    if (text === '') return
    if (this.#line === 'text') this.end()
    process.stderr.write(text)
    this.#line = 'aside'
  }

  #note(line: string): void {
    this.end()
    process.stderr.write(`${this.#styles.dim(visible(line))}\n`)
  }
}

function resultLine({ name, output, isError }: ToolResultPart): string {
  return `${isError ? '✗' : '←'} ${name}: ${show(output)}`
}

function show(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), LONGEST_VALUE)
}
