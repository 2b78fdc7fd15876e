import type { FinishEvent, MessageMetadata, RunEvent, SourcePart } from '@braidwork/plugin'
import {
  type AnswerWriter,
  type HostCall,
  PartEncoder,
  type PartEnd,
  type PublicError,
  type RunFacts,
  type ShownPart,
  type StreamEncoder,
  sseData,
} from '../index.ts'
import {
  citationOf,
  citationsIn,
  hostCallBlocks,
  inputOf,
  type MessageOptions,
  messageHead,
  ownBlock,
  redactedBlock,
  type ShownThinking,
  signatureIn,
  stopOf,
  UNSIGNED,
  unreadableEnd,
  usageOf,
} from './blocks.ts'
import { anthropicError } from './error.ts'

/** Encodes a run as the events of one message, ending with `message_stop`. */
export function anthropicMessagesEncoder(
  facts: RunFacts,
  options: MessageOptions = {},
): StreamEncoder {
  return new MessagesEncoder(facts, options)
}

class MessagesEncoder implements StreamEncoder {
  readonly #writer: BlockWriter
  readonly #parts: PartEncoder

  constructor(facts: RunFacts, options: MessageOptions) {
    this.#writer = new BlockWriter(facts, options)
    this.#parts = new PartEncoder(facts, this.#writer)
  }

  encode(event: RunEvent): string {
    if (event.type === 'metadata') this.#writer.metadata = event.metadata
    return this.#parts.encode(event)
  }
}

type BlockState = 'none' | 'begun' | 'text'

/** Writes parts as content blocks. A text block stays open as long as sources for it may follow. */
class BlockWriter implements AnswerWriter {
  metadata: MessageMetadata | undefined
  readonly #facts: RunFacts
  readonly #showsHostCalls: boolean
  readonly #thinking: ShownThinking
  readonly #streamsInput: (name: string) => boolean
  #index = -1
  #state: BlockState = 'none'
  /** The text in front of a delta of the open block. */
  #before = ''
  /** Whether the arguments of the open call may be written as they come. */
  #isEager = false
  /** Whether they begin as an object, as clients require. Undefined until the first character is known. */
  #isObject: boolean | undefined
  /** White space at the start of the arguments, which has not been sent yet. */
  #held = ''
  /** Whether the text brought its own citations. */
  #isCited = false

  constructor(
    facts: RunFacts,
    { showsHostCalls = true, thinking = 'whole', streamsInput = () => false }: MessageOptions,
  ) {
    this.#facts = facts
    this.#showsHostCalls = showsHostCalls
    this.#thinking = thinking
    this.#streamsInput = streamsInput
  }

  first(): string {
    const nothing = { content: [], stop_reason: null, stop_sequence: null, usage: usageOf({}) }
    const message = { ...messageHead(this.#facts), ...nothing }
    return frame('message_start', { message })
  }

  /** Text and reasoning blocks start with their first delta. Without one they may turn out empty or redacted. */
  open({ kind, id, name }: ShownPart): string {
    if (kind === 'text') return ''
    if (kind === 'reasoning') return this.rest()
    this.#isEager = this.#streamsInput(name)
    this.#isObject = undefined
    this.#held = ''
    return this.rest() + this.#begin({ type: 'tool_use', id, name, input: {} }, JSON_DELTA)
  }

  delta({ kind }: ShownPart, text: string): string {
    if (kind === 'tool-call' && !this.#isObject) return this.#hold(text)
    if (kind === 'reasoning' && this.#thinking === 'none') return ''
    const begun = this.#state === 'begun' ? '' : this.rest() + this.#beginText(kind)
    if (kind === 'reasoning' && this.#thinking === 'omitted') return begun
    return `${begun}${this.#before}${JSON.stringify(text)}}}\n\n`
  }

  close({ kind }: ShownPart, end: PartEnd | undefined): string {
    const block = ownBlock(end?.providerMetadata)
    if (kind === 'tool-call') return this.#endInput(end) + this.#stop()
    if (kind === 'text') return this.#endText(citationsIn(block))
    if (this.#thinking === 'none') return ''
    const redacted = this.#state === 'none' ? redactedBlock(block) : undefined
    if (redacted) return this.#begin(redacted, '') + this.#stop()
    return this.#endThinking(signatureIn(block))
  }

  file(): string {
    return ''
  }

  hostCall(hostCall: HostCall): string {
    if (!this.#showsHostCalls) return ''
    const [use, result] = hostCallBlocks(hostCall)
    const used = this.rest() + this.#begin(use, '') + this.#stop()
    return used + this.#begin(result, '') + this.#stop()
  }

  source(source: SourcePart): string {
    const citation = citationOf(source)
    if (this.#state !== 'text' || this.#isCited || citation === undefined) return ''
    return this.#cite(citation)
  }

  rest(): string {
    return this.#state === 'text' ? this.#stop() : ''
  }

  finish({ finishReason, usage, messages }: FinishEvent, calls: number): string {
    const delta = { ...stopOf(finishReason, calls, this.metadata), stop_details: null }
    return `${frame('message_delta', { delta, usage: usageOf(usage, messages) })}${frame('message_stop', {})}`
  }

  fail(error: PublicError): string {
    return sseData(JSON.stringify(anthropicError(error, this.#facts.runId)), 'error')
  }

  /** Holds arguments back: until they are complete, or until it is clear whether they begin as an object. */
  #hold(text: string): string {
    if (!this.#isEager || this.#isObject === false) return ''
    this.#held += text
    const begun = text.trimStart()
    if (begun === '') return ''
    this.#isObject = begun.startsWith('{')
    return this.#isObject ? `${this.#before}${JSON.stringify(this.#held)}}}\n\n` : ''
  }

  /** Writes arguments that were held back, and an end behind those written already that are broken. */
  #endInput(end: PartEnd | undefined): string {
    const { input } = end ?? {}
    if (input === undefined || (this.#isObject && typeof input !== 'string')) return ''
    const rest = this.#isObject ? unreadableEnd(String(input)) : JSON.stringify(inputOf(input))
    return this.#delta({ type: 'input_json_delta', partial_json: rest })
  }

  #beginText(kind: ShownPart['kind']): string {
    return kind === 'text'
      ? this.#begin({ type: 'text', text: '' }, TEXT_DELTA)
      : this.#begin({ type: 'thinking', thinking: '', signature: '' }, THINKING_DELTA)
  }

  #begin(content_block: object, delta: string): string {
    this.#index++
    this.#state = 'begun'
    this.#isCited = false
    this.#before = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{${delta}:`
    return frame('content_block_start', { index: this.#index, content_block })
  }

  #endText(citations: readonly object[]): string {
    if (this.#state !== 'begun') return ''
    this.#state = 'text'
    this.#isCited = citations.length > 0
    return citations.map((citation) => this.#cite(citation)).join('')
  }

  #endThinking(signature: string): string {
    if (this.#state === 'none' && signature === '') return ''
    const begun = this.#state === 'none' ? this.#beginText('reasoning') : ''
    const signed = this.#delta({ type: 'signature_delta', signature: signature || UNSIGNED })
    return begun + signed + this.#stop()
  }

  #cite(citation: object): string {
    return this.#delta({ type: 'citations_delta', citation })
  }

  #delta(delta: object): string {
    return frame('content_block_delta', { index: this.#index, delta })
  }

  #stop(): string {
    this.#state = 'none'
    return frame('content_block_stop', { index: this.#index })
  }
}

const TEXT_DELTA = '"type":"text_delta","text"'
const THINKING_DELTA = '"type":"thinking_delta","thinking"'
const JSON_DELTA = '"type":"input_json_delta","partial_json"'

function frame(type: string, fields: object): string {
  return sseData(JSON.stringify({ type, ...fields }), type)
}
