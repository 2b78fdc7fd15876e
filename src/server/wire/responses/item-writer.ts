import { type FilePart, type FinishEvent, GrowingText, type SourcePart } from '@braidwork/plugin'
import {
  type AnswerWriter,
  finishOfRefusal,
  type HostCall,
  openAIErrorFields,
  type PartEnd,
  type PublicError,
  type RunFacts,
  type ShownPart,
} from '../index.ts'
import { type DeltaKind, Frames } from './frames.ts'
import { wordOf } from './held-items.ts'
import {
  callItem,
  customInputEvents,
  endsAnswer,
  hostCallEvents,
  hostCallItem,
  type Item,
  type ItemEvent,
  imageIn,
  imageItem,
  messageItem,
  phaseIn,
  reasoningEndEvents,
  reasoningItem,
  sealedIn,
  summaryText,
  textEndEvents,
  textPart,
  UNSEALED,
} from './items.ts'
import type { ResponsesOptions } from './options.ts'
import {
  annotationOf,
  failedResponse,
  finishedResponse,
  type ResponseHead,
  responseHead,
} from './response.ts'

type ItemState = 'none' | 'begun' | 'text'

const NO_TEXT = { kind: 'text', isRefusal: false } as const

/** Writes parts as output items. A text stays open as long as sources for it may follow. */
export class ItemWriter implements AnswerWriter {
  readonly #facts: RunFacts
  readonly #head: ResponseHead
  readonly #frames: Frames
  readonly #sealsReasoning: boolean
  readonly #showsHostCalls: boolean
  readonly #hasErrorEvent: boolean
  #phase: string | undefined
  readonly #output: object[] = []
  /** The number of items that the client is not shown. They count in the ids of those behind them. */
  #hidden = 0
  #state: ItemState = 'none'
  #id = ''
  #text = new GrowingText()
  #isRefusal = false
  #isText = false
  #annotations: object[] = []
  /** Whether there is no item yet with which an answer ends. */
  #isOpen = true

  constructor(facts: RunFacts, options: ResponsesOptions) {
    const { startingAfter = -1, about = {} } = options
    this.#facts = facts
    this.#head = responseHead(facts, about)
    this.#frames = new Frames(startingAfter)
    this.#showsHostCalls = options.showsHostCalls ?? true
    this.#hasErrorEvent = options.hasErrorEvent ?? false
    this.#sealsReasoning = about.sealsReasoning ?? false
  }

  first(): string {
    const fields = { response: this.#head }
    return this.#frame('response.created', fields) + this.#frame('response.in_progress', fields)
  }

  /** Text and reasoning items start with their first delta. Without one they may turn out empty. */
  open({ kind, id: callId, name }: ShownPart): string {
    if (kind === 'text') return ''
    const rest = this.rest()
    return kind === 'reasoning'
      ? rest
      : rest + this.#begin(callItem(this.#place, { callId, name, word: this.#wordOf(name) }), kind)
  }

  delta(part: ShownPart, text: string): string {
    if (part.kind === 'tool-call' && this.#wordOf(part.name)?.isCustom) {
      // The text is part of a JSON object, so it is told as a whole at the end.
      this.#text.add(text)
      return ''
    }
    const begun = this.#state === 'begun' ? '' : this.rest() + this.#beginText(part)
    this.#text.add(text)
    return begun + this.#frames.delta(text)
  }

  close({ kind, id: callId, name }: ShownPart, end: PartEnd | undefined): string {
    if (kind === 'tool-call') return this.#endCall(callId, name)
    if (kind === 'reasoning') return this.#endReasoning(sealedIn(end?.providerMetadata))
    this.#phase = phaseIn(end?.providerMetadata)
    if (this.#state === 'begun') this.#state = 'text'
    return ''
  }

  file(file: FilePart): string {
    const data = imageIn(file)
    if (data === undefined) return ''
    const rest = this.rest()
    const item = imageItem(this.#place, null)
    const at = { output_index: this.#output.length, item_id: item.id }
    const added = this.#frame('response.output_item.added', { output_index: at.output_index, item })
    const made = this.#frame('response.image_generation_call.completed', at)
    return rest + added + made + this.#done(imageItem(this.#place, data))
  }

  hostCall(call: HostCall): string {
    const rest = this.rest()
    if (!this.#showsHostCalls) {
      this.#hidden++
      return rest
    }
    const item = hostCallItem(this.#place, call)
    const at = { output_index: this.#output.length, item_id: item.id }
    return rest + this.#all(hostCallEvents(item), at) + this.#done(item)
  }

  source(source: SourcePart): string {
    const annotation = annotationOf(source, this.#text.length)
    if (this.#state !== 'text' || this.#isRefusal || annotation === undefined) return ''
    const annotation_index = this.#annotations.push(annotation) - 1
    const fields = { ...this.#at, content_index: 0, annotation_index, annotation }
    return this.#frame('response.output_text.annotation.added', fields)
  }

  rest(): string {
    return this.#state === 'text' ? this.#endText('completed') : ''
  }

  /** Ends the last text as incomplete, since a run ends open texts before it fails. Other open items are left out. */
  cut(): string {
    const isText = this.#state === 'text' || (this.#state === 'begun' && this.#isText)
    return isText ? this.#endText('incomplete') : ''
  }

  #endText(status: 'completed' | 'incomplete'): string {
    const about = { isRefusal: this.#isRefusal, annotations: this.#annotations }
    const part = textPart({ text: this.#text.toString(), ...about })
    const ended = this.#all(textEndEvents(part), { ...this.#at, content_index: 0 })
    return ended + this.#done({ ...messageItem(this.#place, part, this.#phase), status })
  }

  finish(finish: FinishEvent): string {
    const told = this.#isRefusal ? finishOfRefusal(finish) : finish
    const text = this.#isOpen ? this.#beginText(NO_TEXT) + this.#endText('completed') : ''
    const response = finishedResponse(this.#head, this.#output, told)
    return text + this.#frame(`response.${response.status}`, { response })
  }

  fail(error: PublicError): string {
    const cut = this.cut()
    const response = this.failed(error)
    const event = this.#hasErrorEvent ? this.#frame('error', openAIErrorFields(error)) : ''
    return cut + event + this.#frame('response.failed', { response })
  }

  /** Returns the response of a run that failed, with the items that have ended. */
  failed(error: PublicError): ResponseHead {
    return failedResponse(this.#head, this.#output, error)
  }

  get #place() {
    return { of: this.#facts.runId, index: this.#output.length + this.#hidden }
  }

  get #at() {
    return { item_id: this.#id, output_index: this.#output.length }
  }

  #beginText({ kind, isRefusal }: Pick<ShownPart, 'kind' | 'isRefusal'>): string {
    if (kind === 'text') {
      this.#isRefusal = isRefusal
      const begun = this.#begin(messageItem(this.#place), isRefusal ? 'refusal' : kind)
      const fields = { ...this.#at, content_index: 0, part: textPart({ text: '', isRefusal }) }
      return begun + this.#frame('response.content_part.added', fields)
    }
    const begun = this.#begin(reasoningItem(this.#place, ''), kind)
    const fields = { ...this.#at, summary_index: 0, part: summaryText('') }
    return begun + this.#frame('response.reasoning_summary_part.added', fields)
  }

  #begin(item: { readonly id: string }, kind: DeltaKind): string {
    this.#id = item.id
    this.#state = 'begun'
    this.#text = new GrowingText()
    this.#annotations = []
    this.#phase = undefined
    this.#isText = kind === 'text' || kind === 'refusal'
    this.#frames.begin(kind, item, this.#output.length)
    return this.#frame('response.output_item.added', { output_index: this.#output.length, item })
  }

  #endCall(callId: string, name: string): string {
    const text = this.#text.toString()
    const word = this.#wordOf(name)
    const item = callItem(this.#place, { callId, name, text, word })
    if (word?.isCustom) return this.#all(customInputEvents(item), this.#at) + this.#done(item)
    const fields = { ...this.#at, name: item['name'], arguments: text }
    return this.#frame('response.function_call_arguments.done', fields) + this.#done(item)
  }

  #wordOf(name: string) {
    return wordOf(this.#facts, name)
  }

  #endReasoning(sealed: string | undefined): string {
    if (this.#state !== 'begun') return sealed === undefined ? '' : this.#sealedAlone(sealed)
    const text = this.#text.toString()
    const ended = this.#all(reasoningEndEvents(text), { ...this.#at, summary_index: 0 })
    const mark = this.#sealsReasoning ? UNSEALED : undefined
    return ended + this.#done(reasoningItem(this.#place, text, sealed ?? mark))
  }

  /** Writes a reasoning item without visible text, which the provider needs back. */
  #sealedAlone(sealed: string): string {
    const begun = this.#begin(reasoningItem(this.#place, ''), 'reasoning')
    return begun + this.#done(reasoningItem(this.#place, '', sealed))
  }

  #done(item: Item): string {
    this.#state = 'none'
    this.#isOpen &&= !endsAnswer(item)
    const output_index = this.#output.push(item) - 1
    return this.#frame('response.output_item.done', { output_index, item })
  }

  #all(events: readonly ItemEvent[], at: object): string {
    return events.map(([type, fields]) => this.#frame(type, { ...at, ...fields })).join('')
  }

  #frame(type: string, fields: object): string {
    return this.#frames.frame(type, fields)
  }
}
