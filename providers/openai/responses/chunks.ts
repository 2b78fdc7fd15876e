import type { Part, PartialEvent, ToolCallPart } from 'braidwork/plugin'
import { isObject, type JsonObject, objectsIn, textIn } from '../json.ts'
import type { Profile } from '../profile.ts'
import { callKindOf } from './calls.ts'
import { type Around, callIdOf, callText, partsOf, type TextList, textKeyOf } from './items.ts'
import { responseMessage } from './message.ts'
import { OpenItem, type Segment, type TextPlace } from './open-item.ts'

const LAST = new Set<unknown>(['response.completed', 'response.incomplete', 'response.done'])

/** Whether an event ends a response, or begins one; a failed one is an error before it gets here. */
export function isWholeResponse({ type }: JsonObject): boolean | undefined {
  return LAST.has(type) || (type === 'response.created' ? false : undefined)
}

type Handler = (answer: ResponsesAnswer, event: JsonObject) => void

const text =
  (
    list: TextList,
    type: string,
    index: 'content_index' | 'summary_index',
    key: 'text' | 'refusal' = 'text',
  ): Handler =>
  (answer, event) =>
    answer.addText(event, { list, entry: { type, [key]: '' }, index: Number(event[index] ?? 0) })

const call =
  (type: string): Handler =>
  (answer, event) =>
    answer.addArguments(event, type)

/** What each event does; those of any other type are passed over. */
const HANDLERS: ReadonlyMap<unknown, Handler> = new Map<unknown, Handler>([
  ['response.created', (answer, event) => answer.begin(event)],
  ['response.output_item.added', (answer, event) => answer.addItem(event)],
  ['response.output_item.done', (answer, event) => answer.finishItem(event)],
  ['response.content_part.added', (answer, event) => answer.addPart(event)],
  ['response.reasoning_summary_part.added', text('summary', 'summary_text', 'summary_index')],
  ['response.output_text.delta', text('content', 'output_text', 'content_index')],
  ['response.refusal.delta', text('content', 'refusal', 'content_index', 'refusal')],
  ['response.reasoning_summary_text.delta', text('summary', 'summary_text', 'summary_index')],
  ['response.reasoning_text.delta', text('content', 'reasoning_text', 'content_index')],
  ['response.output_text.annotation.added', (answer, event) => answer.addAnnotation(event)],
  ['response.function_call_arguments.delta', call('function_call')],
  ['response.custom_tool_call_input.delta', call('custom_tool_call')],
  ['response.mcp_call_arguments.delta', call('mcp_call')],
  ['response.image_generation_call.partial_image', (answer, event) => answer.addPreview(event)],
])

/**
 * Gathers the events of one response. Items are shown one after the other, in the order in which they
 * began: what comes for a later one is held until the earlier ones are whole, so that the events add up
 * to the very message that the same response gives without streaming.
 */
export class ResponsesAnswer {
  readonly #around: Around & { tools: unknown }
  readonly #items = new Map<unknown, OpenItem>()
  readonly #waiting: OpenItem[] = []
  readonly #output: JsonObject[] = []
  #response: JsonObject = {}
  #isWhole = false
  #events: PartialEvent[] = []
  #texts = 0
  #last: OpenItem | undefined

  constructor(profile: Profile) {
    this.#around = { profile, tools: undefined, taken: new Set() }
  }

  /** The events of a chunk. */
  add(event: JsonObject): readonly PartialEvent[] {
    // What comes after a response belongs to none, until another begins in the same stream.
    if (this.#isWhole && event['type'] !== 'response.created') return []
    HANDLERS.get(event['type'])?.(this, event)
    if (LAST.has(event['type'])) this.#finish(event)
    const events = this.#events
    this.#events = []
    return events
  }

  /** The response that the events add up to, and the last of them. */
  end(): { events: readonly PartialEvent[]; final: JsonObject } {
    const final = { ...this.#response, tools: this.#around.tools ?? [], output: this.#output }
    const { metadata = {} } = responseMessage(final, this.#around.profile)
    return { events: [{ type: 'metadata', metadata }], final }
  }

  begin({ response }: JsonObject): void {
    if (isObject(response)) this.#around.tools = response['tools']
    this.#keep([])
    this.#isWhole = false
  }

  addItem(event: JsonObject): void {
    if (!isObject(event['item'])) return
    const open = this.#open(event, event['item'])
    if (callKindOf(open.item, this.#around.tools)?.isShownEarly) this.#announce(open)
  }

  addPart(event: JsonObject): void {
    const { part } = event
    if (!isObject(part)) return
    const key = textKeyOf(part)
    if (!key) return
    const index = Number(event['content_index'] ?? 0)
    this.addText(
      { ...event, delta: '' },
      { list: 'content', entry: { type: part['type'], [key]: '' }, index },
    )
  }

  addText(event: JsonObject, place: TextPlace): void {
    const type =
      place.entry['type'] === 'output_text' || place.entry['type'] === 'refusal'
        ? 'message'
        : 'reasoning'
    const open = this.#itemOf(event, type)
    const kind = open.item['type'] === 'reasoning' ? 'reasoning' : 'text'
    if (open.settled || !open.hasList(place.list)) return
    const isLive = open.isLive(place.list)
    let segment = open.segmentAt(place)
    if (!segment) {
      segment = open.addSegment(place, `${kind}-${this.#texts++}`)
      if (isLive) this.#emit(open, { type: `${kind}-start`, id: segment.id })
    }
    const delta = textIn(event['delta'])
    if (delta === undefined) return
    segment.text += delta
    if (isLive) this.#emit(open, { type: `${kind}-delta`, id: segment.id, delta })
  }

  addArguments(event: JsonObject, type: string): void {
    const open = this.#itemOf(event, type)
    const delta = textIn(event['delta'])
    if (
      delta === undefined ||
      open.settled ||
      !callKindOf(open.item, this.#around.tools)?.argumentsKey
    )
      return
    open.argumentsText += delta
    const id = this.#announce(open)
    this.#emit(open, { type: 'tool-call-delta', id, delta })
  }

  addAnnotation(event: JsonObject): void {
    if (isObject(event['annotation'])) {
      this.#itemOf(event, 'message').addAnnotation(
        Number(event['content_index'] ?? 0),
        event['annotation'],
      )
    }
  }

  /** A half-made image is for the eye alone: it is in no message. */
  addPreview(event: JsonObject): void {
    const data = textIn(event['partial_image_b64'])
    if (data === undefined) return
    const preview = { mediaType: `image/${textIn(event['output_format']) ?? 'png'}`, data }
    this.#emit(this.#itemOf(event, 'image_generation_call'), {
      type: 'data',
      name: 'image-preview',
      data: preview,
      transient: true,
    })
  }

  finishItem(event: JsonObject): void {
    if (!isObject(event['item'])) return
    const open = this.#items.get(keyOf(event)) ?? this.#open(event, event['item'])
    this.#close(open, event['item'])
  }

  #itemOf(event: JsonObject, type: string): OpenItem {
    const known =
      this.#items.get(keyOf(event)) ?? (keyOf(event) === undefined ? this.#last : undefined)
    return (
      known ?? this.#open(event, { type, ...(event['item_id'] ? { id: event['item_id'] } : {}) })
    )
  }

  #open(event: JsonObject, item: JsonObject): OpenItem {
    const key = keyOf(event) ?? Symbol('item')
    const known = this.#items.get(key)
    if (known) return known
    const open = new OpenItem(item)
    this.#items.set(key, open)
    this.#waiting.push(open)
    this.#last = open
    return open
  }

  #announce(open: OpenItem): string {
    if (open.callId !== undefined) return open.callId
    const kind = callKindOf(open.item, this.#around.tools)
    const id = callIdOf(open.item, this.#around)
    open.callId = id
    const name = kind?.name ?? 'unnamed'
    this.#emit(open, {
      type: 'tool-call-start',
      id,
      name,
      ...(kind?.isProviderRun ? { providerExecuted: true } : {}),
    })
    return id
  }

  /** Shows an event now, or when the items before its own are whole. */
  #emit(open: OpenItem, event: PartialEvent): void {
    if (this.#waiting[0] === open) this.#events.push(event)
    else open.held.push(event)
  }

  #close(open: OpenItem, given: JsonObject): void {
    if (open.settled) return
    // An item stays of the kind that it was shown as.
    const last = given['type'] === open.item['type'] ? given : open.asFarAsItCame()
    const kind = callKindOf(last, this.#around.tools)
    const isShown = open.callId !== undefined
    if (kind && !isShown) open.callId = callIdOf(last, this.#around)
    open.settle(last, kind?.idKey)
    this.#emitEnd(open, isShown)
    this.#release()
  }

  #emitEnd(open: OpenItem, isShown: boolean): void {
    const item = open.settled ?? open.item
    // The id is this very call's.
    if (open.callId !== undefined) this.#around.taken.delete(open.callId)
    const parts = partsOf(item, this.#around)
    const texts = open.textsInOrder(item)
    let at = 0
    for (const part of parts) {
      if (part.type === 'text' || part.type === 'reasoning') this.#emitText(open, part, texts[at++])
      else if (part.type === 'tool-call') this.#emitCall(open, part, isShown)
      else this.#emit(open, part)
    }
  }

  #emitText(open: OpenItem, part: Part & { text: string }, shown: Segment | undefined): void {
    const type = part.type as 'text' | 'reasoning'
    const id = shown?.id ?? `${type}-${this.#texts++}`
    if (!shown) this.#emit(open, { type: `${type}-start`, id })
    const rest = part.text.slice(shown?.text.length ?? 0)
    if (rest !== '') this.#emit(open, { type: `${type}-delta`, id, delta: rest })
    const { providerMetadata } = part
    this.#emit(open, { type: `${type}-end`, id, ...(providerMetadata ? { providerMetadata } : {}) })
  }

  #emitCall(open: OpenItem, part: ToolCallPart, isShown: boolean): void {
    const { callId: id, name, input, type: _, ...facts } = part
    const run = facts.providerExecuted ? { providerExecuted: true } : {}
    if (!isShown) this.#emit(open, { type: 'tool-call-start', id, name, ...run })
    const whole = callText(open.settled ?? open.item, this.#around.tools)
    const rest = whole.startsWith(open.argumentsText) ? whole.slice(open.argumentsText.length) : ''
    if (rest !== '') this.#emit(open, { type: 'tool-call-delta', id, delta: rest })
    this.#emit(open, { type: 'tool-call-end', id, input, ...facts })
  }

  /** Lets go of what waited for items that are whole now. */
  #release(): void {
    while (this.#waiting[0]?.settled) {
      this.#waiting.shift()
      const next = this.#waiting[0]
      if (next) this.#events = this.#events.concat(next.held)
    }
  }

  /** Closes what is open, and makes the response that the events add up to. */
  #finish({ response }: JsonObject): void {
    const last = isObject(response) ? response : {}
    if (this.#items.size === 0) this.#around.tools ??= last['tools']
    this.#keep(objectsIn(last['output']))
    this.#response = last
    this.#isWhole = true
  }

  /** Closes what is open, and keeps the items that were shown, and those that only the end gives. */
  #keep(given: readonly JsonObject[]): void {
    // An item that never ended: as the whole response has it, else as far as it came.
    for (const [key, open] of this.#items) {
      const whole = typeof key === 'number' ? given[key] : undefined
      this.#close(open, whole ?? open.asFarAsItCame())
    }
    given.forEach((item, index) => {
      const isNew = !this.#items.has(index) && this.#items.size < given.length
      if (isNew) this.finishItem({ item, output_index: index })
    })
    for (const { settled } of this.#items.values()) if (settled) this.#output.push(settled)
    this.#items.clear()
  }
}

/** What tells items apart: their place in the output. Ids of one item may change while it streams. */
function keyOf(event: JsonObject): unknown {
  const { item, output_index, item_id } = event
  return output_index ?? item_id ?? (isObject(item) ? item['id'] : undefined)
}
