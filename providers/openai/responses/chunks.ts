import type { Profile } from '@braidwork/model-api'
import { objectsIn, textIn } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type PartialEvent } from '@braidwork/plugin'
import { callKindOf } from './calls.ts'
import { ItemEvents } from './item-events.ts'
import { type Around, type TextList, textKeyOf } from './items.ts'
import { responseMessage } from './message.ts'
import { OpenItem, type TextPlace } from './open-item.ts'
import { EventsUntilStop } from './stopped.ts'

const LAST = new Set<unknown>(['response.completed', 'response.incomplete', 'response.done'])

function isLast({ type }: JsonObject): boolean {
  return LAST.has(type)
}

/**
 * True for an event that ends a response, false for one that begins it. A failed response was thrown as an error
 * before.
 */
export function isWholeResponse({ type }: JsonObject): boolean | undefined {
  return LAST.has(type) || (type === 'response.created' ? false : undefined)
}

type Handler = (answer: ResponsesAnswer, event: JsonObject) => void

const text = (
  list: TextList,
  type: string,
  index: 'content_index' | 'summary_index',
  key: 'text' | 'refusal' = 'text',
): Handler => {
  const entry = { type, [key]: '' }
  return (answer, event) => answer.addText(event, { list, entry, index: Number(event[index] ?? 0) })
}

const call =
  (type: string): Handler =>
  (answer, event) =>
    answer.addArguments(event, type)

/** The handler of each event type. Other types are ignored. */
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

/** Collects the events of one response: converts each to partial events, and all of them to the whole response. */
export class ResponsesAnswer {
  readonly #around: Around & { tools: unknown }
  readonly #shown: ItemEvents
  readonly #untilStop: EventsUntilStop | undefined
  readonly #items = new Map<unknown, OpenItem>()
  readonly #output: JsonObject[] = []
  #response: JsonObject = {}
  #annotations = 0
  #isWhole = false
  #last: OpenItem | undefined

  /** @param stops the texts at which the answer ends */
  constructor(profile: Profile, stops: readonly string[] = []) {
    this.#untilStop = stops.length > 0 ? new EventsUntilStop(stops, isLast) : undefined
    this.#around = { profile, tools: undefined, taken: new Set() }
    this.#shown = new ItemEvents(this.#around)
  }

  get held(): number {
    const texts = this.#untilStop?.held ?? 0
    return this.#items.size + this.#output.length + this.#annotations + texts
  }

  /** Handles an event. @returns its partial events */
  add(event: JsonObject): readonly PartialEvent[] {
    // Events after the end are ignored, until another response begins in the same stream.
    if (this.#isWhole && event['type'] !== 'response.created') return []
    for (const one of this.#untilStop?.add(event) ?? [event]) this.#handle(one)
    return this.#shown.take()
  }

  #handle(event: JsonObject): void {
    HANDLERS.get(event['type'])?.(this, event)
    if (isLast(event)) this.#finish(event)
  }

  /** Ends the answer. @returns the whole response, and the last partial events */
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
    if (callKindOf(open.item, this.#around.tools)?.isShownEarly) this.#shown.announce(open)
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
    if (open.settled || !open.hasList(place.list)) return
    this.#shown.addText(open, place, textIn(event['delta']) ?? '')
  }

  addArguments(event: JsonObject, type: string): void {
    const open = this.#itemOf(event, type)
    const takes = callKindOf(open.item, this.#around.tools)?.argumentsKey !== undefined
    const delta = textIn(event['delta'])
    if (delta !== undefined && takes && !open.settled) this.#shown.addArguments(open, delta)
  }

  addAnnotation(event: JsonObject): void {
    if (isObject(event['annotation'])) {
      this.#annotations++
      this.#itemOf(event, 'message').addAnnotation(
        Number(event['content_index'] ?? 0),
        event['annotation'],
      )
    }
  }

  /** Shows a preview of an image. The preview is not part of the message. */
  addPreview(event: JsonObject): void {
    const data = textIn(event['partial_image_b64'])
    if (data === undefined) return
    const preview = { mediaType: `image/${textIn(event['output_format']) ?? 'png'}`, data }
    this.#shown.emit(this.#itemOf(event, 'image_generation_call'), {
      type: 'data',
      name: 'image-preview',
      data: preview,
      transient: true,
    })
  }

  finishItem(event: JsonObject): void {
    if (!isObject(event['item'])) return
    const open = this.#items.get(keyOf(event)) ?? this.#open(event, event['item'])
    this.#shown.close(open, event['item'])
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
    this.#shown.queue(open)
    this.#last = open
    return open
  }

  /** Closes open items, and builds the whole response. */
  #finish({ response }: JsonObject): void {
    const last = isObject(response) ? response : {}
    if (this.#items.size === 0) this.#around.tools ??= last['tools']
    this.#keep(objectsIn(last['output']))
    this.#response = last
    this.#isWhole = true
  }

  /** Closes open items; keeps the shown items, and those that only the end event contains. */
  #keep(given: readonly JsonObject[]): void {
    // An item without an end event is taken from the whole response. If that lacks it, the received part is used.
    for (const [key, open] of this.#items) {
      const whole = typeof key === 'number' ? given[key] : undefined
      this.#shown.close(open, whole ?? open.asFarAsItCame())
    }
    given.forEach((item, index) => {
      const isNew = !this.#items.has(index) && this.#items.size < given.length
      if (isNew) this.finishItem({ item, output_index: index })
    })
    for (const { settled } of this.#items.values()) if (settled) this.#output.push(settled)
    this.#items.clear()
    this.#last = undefined
  }
}

/** The key of an event's item: its place in the output. The id of an item may change while it streams. */
function keyOf(event: JsonObject): unknown {
  const { item, output_index, item_id } = event
  return output_index ?? item_id ?? (isObject(item) ? item['id'] : undefined)
}
