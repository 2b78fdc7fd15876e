import type { FinishEvent, SourcePart } from '@braidwork/plugin'
import {
  type AnswerWriter,
  finishOfRefusal,
  openAIError,
  PartEncoder,
  type PublicError,
  type RunFacts,
  type ShownPart,
  type StreamEncoder,
  sseData,
} from '../index.ts'
import { annotationOf, finishReasonOf, headOf, usageOf } from './chunk.ts'

export interface ChatCompletionOptions {
  /** Whether the client requested usage with `stream_options.include_usage`. */
  readonly includesUsage?: boolean
  /** Whether the event of an error is named `error`, which some clients need. The default is true. */
  readonly namesErrors?: boolean
}

/** Encodes a run as the chunks of a chat completion, ending with `[DONE]`. */
export function chatCompletionEncoder(
  facts: RunFacts,
  options: ChatCompletionOptions = {},
): StreamEncoder {
  return new PartEncoder(facts, new ChunkWriter(facts, options))
}

const DONE = sseData('[DONE]')

/** Writes chunks. The constant text around each delta is built once. */
class ChunkWriter implements AnswerWriter {
  readonly #before: string
  readonly #after: string
  readonly #behind: string
  readonly #includesUsage: boolean
  readonly #namesErrors: boolean
  readonly #annotations: object[] = []
  #call = -1
  #length = 0
  /** Whether the last text was a refusal. */
  #isRefused = false

  constructor(
    facts: RunFacts,
    { includesUsage = false, namesErrors = true }: ChatCompletionOptions,
  ) {
    const head = JSON.stringify(headOf(facts, 'chat.completion.chunk')).slice(0, -1)
    // If usage was requested, every chunk has the field `usage`, which is null in all but the last one.
    this.#behind = includesUsage ? ',"usage":null}\n\n' : '}\n\n'
    this.#before = `data: ${head},"choices":[`
    this.#after = `,"finish_reason":null}]${this.#behind}`
    this.#includesUsage = includesUsage
    this.#namesErrors = namesErrors
  }

  first(): string {
    return this.#delta('"role":"assistant","content":""')
  }

  open({ kind, id, name }: ShownPart): string {
    if (kind !== 'tool-call') return ''
    const called = { index: ++this.#call, id, type: 'function', function: { name, arguments: '' } }
    return this.#delta(`"tool_calls":[${JSON.stringify(called)}]`)
  }

  delta({ kind, isRefusal }: ShownPart, text: string): string {
    const written = JSON.stringify(text)
    if (kind === 'text') {
      this.#isRefused = isRefusal
      if (isRefusal) return this.#delta(`"refusal":${written}`)
      this.#length += text.length
      return this.#delta(`"content":${written}`)
    }
    if (kind === 'reasoning') return this.#delta(`"reasoning_content":${written}`)
    return this.#delta(`"tool_calls":[{"index":${this.#call},"function":{"arguments":${written}}}]`)
  }

  close(): string {
    return ''
  }

  file(): string {
    return ''
  }

  /** The protocol has no word for a call that was answered already. */
  hostCall(): string {
    return ''
  }

  /** Collects annotations for one delta at the end, because clients keep only the last list that they receive. */
  source(source: SourcePart): string {
    const annotation = annotationOf(source, this.#length)
    if (annotation) this.#annotations.push(annotation)
    return ''
  }

  rest(): string {
    return ''
  }

  finish(finish: FinishEvent, calls: number): string {
    const { finishReason, usage } = this.#isRefused ? finishOfRefusal(finish) : finish
    const annotations =
      this.#annotations.length > 0
        ? this.#delta(`"annotations":${JSON.stringify(this.#annotations)}`)
        : ''
    const choice = { index: 0, delta: {}, finish_reason: finishReasonOf(finishReason, calls) }
    const last = `${this.#before}${JSON.stringify(choice)}]${this.#behind}`
    return `${annotations}${last}${this.#usage(usageOf(usage))}${DONE}`
  }

  fail(error: PublicError): string {
    const data = `data: ${JSON.stringify({ error: openAIError(error) })}\n`
    // The name comes after the data: go-openai loses the message of an error behind any other line.
    return `${data}${this.#namesErrors ? 'event: error\n' : ''}\n${DONE}`
  }

  #usage(usage: object): string {
    return this.#includesUsage ? `${this.#before}],"usage":${JSON.stringify(usage)}}\n\n` : ''
  }

  #delta(delta: string): string {
    return `${this.#before}{"index":0,"delta":{${delta}}${this.#after}`
  }
}
