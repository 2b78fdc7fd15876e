import { type ChildProgress, childProgressIn } from '@braidwork/agent/internal'
import {
  type ModelFailedEvent,
  type RunEvent,
  type SegmentEvent,
  type ToolResultPart,
  textOf,
} from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { shorten, stylesOf } from '../terminal.ts'

const LONGEST_VALUE = 160

type CallStart = Extract<SegmentEvent, { readonly type: 'tool-call-start' }>
type CallEnd = Extract<SegmentEvent, { readonly type: 'tool-call-end' }>

/**
 * Shows a run in a terminal: the answer's text on standard output; reasoning and tool calls on standard error.
 */
export class EventView {
  readonly #styles = stylesOf(process.stderr)
  /** The output that got the last character. Before writing to the other one, the line is ended. */
  #line: 'none' | 'text' | 'aside' = 'none'
  /** Announced tool calls that have not started yet, by id. */
  readonly #calls = new Map<string, CallStart>()

  show(event: RunEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.#text(event.delta)
        break
      case 'reasoning-delta':
        this.#aside(this.#styles.dim(visible(event.delta)))
        break
      case 'tool-call-start':
        this.#calls.set(event.id, event)
        break
      case 'tool-call-end':
        this.#callOfProvider(event)
        break
      default: {
        const line = lineOf(event)
        if (line !== undefined) this.#note(line)
      }
    }
  }

  /** Ends the open line. */
  end(): void {
    if (this.#line === 'text') process.stdout.write('\n')
    if (this.#line === 'aside') process.stderr.write('\n')
    this.#line = 'none'
  }

  /** Ends the terminal's open line before other output. A pipe gets no extra line break. */
  pause(): void {
    const isShared = process.stdout.isTTY && process.stderr.isTTY
    if (this.#line === 'none' || (this.#line === 'text' && !isShared)) return
    process.stderr.write('\n')
    this.#line = 'none'
  }

  /** Shows a call that the provider executed itself; no execution event follows here. */
  #callOfProvider({ id, input, providerExecuted }: CallEnd): void {
    const start = this.#calls.get(id)
    this.#calls.delete(id)
    if (start && (providerExecuted || start.providerExecuted)) {
      this.#note(`→ ${start.name}(${show(input)})`)
    }
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

/** Says that a request failed, and what comes next. */
function failureLine({ model, error, delayMs = 0 }: ModelFailedEvent): string {
  const { id, provider, model: name = '' } = model
  const next = delayMs > 0 ? `again in ${delayMs / 1000} s` : 'going on'
  return `model ${id ?? `${provider} ${name}`.trim()} failed (${error.code}), ${next}`
}

function resultLine({ name, output, isError }: ToolResultPart): string {
  return `${isError ? '✗' : '←'} ${name}: ${show(output)}`
}

function show(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), LONGEST_VALUE)
}

/** What a tool reports; of a child run a branch of the tree, as deep as the run stands. */
function progressLine(event: Extract<RunEvent, { type: 'tool-execution-progress' }>) {
  const child = childProgressIn(event)
  if (!child) return `  … ${show(event.progress)}`
  const line = branchOf(child)
  return line === undefined ? undefined : `${'│ '.repeat(child.depth - 1)}${line}`
}

function branchOf({ agent, task, ...child }: ChildProgress): string | undefined {
  const name = task === undefined ? agent : `${agent}[${task}]`
  const { state, step, tool, preview, message } = child
  if (state !== undefined)
    return `└ ${name} ${state}${message === undefined ? '' : `: ${show(message)}`}`
  if (tool !== undefined) return `│ ${name} → ${tool}`
  if (preview !== undefined) return `│ ${name}: ${show(preview)}`
  return step === undefined ? `┌ ${name}` : undefined
}

/** The line that stands for an event. Undefined for an event that is not shown so. */
function lineOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'tool-execution-start':
      return `→ ${event.name}(${show(event.input)})`
    case 'tool-execution-progress':
      return progressLine(event)
    case 'tool-execution-end':
      return resultLine(event.result)
    case 'tool-result':
      return resultLine(event)
    case 'source':
      return `source ${event.url ?? event.title ?? ''}`
    case 'file':
      return `file ${event.name ?? ''} (${event.mediaType})`
    case 'steering':
      return `> ${textOf(event.message)}`
    case 'model-failed':
      return event.next === 'end' ? undefined : failureLine(event)
    case 'abort':
      return '(stopped)'
    default:
      return undefined
  }
}
