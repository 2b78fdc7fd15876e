import { type EndingEvent, isEnding, type RunEvent, type SourcePart } from '../../events/index.ts'
import { openAIError } from '../openai-error.ts'
import type { RunFacts, StreamEncoder } from '../protocol.ts'
import { publicError } from '../public-error.ts'
import { type PartWriter, type ShownPart, ShownParts } from '../shown-parts.ts'
import { sseData } from '../sse.ts'
import { errorOf } from '../whole-answer.ts'
import { annotationOf, finishReasonOf, headOf, usageOf } from './chunk.ts'

export interface ChatCompletionOptions {
  /** Whether the client asked for usage, by `stream_options.include_usage`. */
  readonly includesUsage?: boolean
}

/** A run as the chunks of a chat completion, to `[DONE]`. */
export function chatCompletionEncoder(
  facts: RunFacts,
  { includesUsage = false }: ChatCompletionOptions = {},
): StreamEncoder {
  return new ChatCompletionEncoder(facts, includesUsage)
}

class ChatCompletionEncoder implements StreamEncoder {
  readonly #writer: ChunkWriter
  readonly #parts: ShownParts
  #state: 'new' | 'open' | 'over' = 'new'

  constructor(facts: RunFacts, includesUsage: boolean) {
    this.#writer = new ChunkWriter(facts, includesUsage)
    this.#parts = new ShownParts(this.#writer, facts.clientTools)
  }

  encode(event: RunEvent): string {
    if (this.#state === 'open' && !isEdge(event)) return this.#parts.add(event)
    if (this.#state === 'over') return ''
    const first = this.#state === 'new' ? this.#writer.first() : ''
    this.#state = 'open'
    if (isEnding(event)) return first + this.#end(event)
    const text = first + this.#parts.add(event)
    return this.#parts.isTornDown ? text + this.#end(TORN_DOWN) : text
  }

  #end(ending: EndingEvent): string {
    this.#state = 'over'
    if (ending.type !== 'finish') {
      return `${sseData(JSON.stringify({ error: openAIError(publicError(errorOf(ending))) }))}${DONE}`
    }
    const { finishReason, usage } = ending
    const shown = this.#parts.finish()
    const reason = finishReasonOf(finishReason, this.#parts.calls)
    return `${shown}${this.#writer.last(reason)}${this.#writer.usage(usageOf(usage))}${DONE}`
  }
}

const DONE = sseData('[DONE]')

/** A client that was shown a call may have it run already, and cannot be told that it was taken back. */
const TORN_DOWN: EndingEvent = {
  type: 'error',
  error: { code: 'STREAM_INTERRUPTED', message: 'The step began anew after a call was shown.' },
}

function isEdge({ type }: RunEvent): boolean {
  return type === 'finish' || type === 'error' || type === 'abort' || type === 'step-reset'
}

/** What stands around a delta is written once. */
class ChunkWriter implements PartWriter {
  readonly #before: string
  readonly #after: string
  readonly #behind: string
  readonly #includesUsage: boolean
  readonly #annotations: object[] = []
  #call = -1
  #length = 0

  constructor(facts: RunFacts, includesUsage: boolean) {
    const head = JSON.stringify(headOf(facts, 'chat.completion.chunk')).slice(0, -1)
    // With usage asked for, every chunk has the field, and all but the last without a value.
    this.#behind = includesUsage ? ',"usage":null}\n\n' : '}\n\n'
    this.#before = `data: ${head},"choices":[`
    this.#after = `,"finish_reason":null}]${this.#behind}`
    this.#includesUsage = includesUsage
  }

  first(): string {
    return this.#delta('"role":"assistant","content":""')
  }

  open({ kind, id, name }: ShownPart): string {
    if (kind !== 'tool-call') return ''
    const called = { index: ++this.#call, id, type: 'function', function: { name, arguments: '' } }
    return this.#delta(`"tool_calls":[${JSON.stringify(called)}]`)
  }

  delta({ kind }: ShownPart, text: string): string {
    const written = JSON.stringify(text)
    if (kind === 'text') {
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

  /** All of them stand in one delta at the end: clients keep the last one that they see. */
  source(source: SourcePart): string {
    const annotation = annotationOf(source, this.#length)
    if (annotation) this.#annotations.push(annotation)
    return ''
  }

  last(reason: string): string {
    const annotations =
      this.#annotations.length > 0
        ? this.#delta(`"annotations":${JSON.stringify(this.#annotations)}`)
        : ''
    const choice = { index: 0, delta: {}, finish_reason: reason }
    return `${annotations}${this.#before}${JSON.stringify(choice)}]${this.#behind}`
  }

  usage(usage: object): string {
    return this.#includesUsage ? `${this.#before}],"usage":${JSON.stringify(usage)}}\n\n` : ''
  }

  #delta(delta: string): string {
    return `${this.#before}{"index":0,"delta":{${delta}}${this.#after}`
  }
}
