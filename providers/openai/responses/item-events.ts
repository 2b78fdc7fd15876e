import { DELTA_TYPES, textIn } from '@braidwork/model-api/exchange'
import type { JsonObject, Part, PartialEvent, ToolCallPart } from '@braidwork/plugin'
import { callKindOf } from './calls.ts'
import { type Around, callIdOf, callText, partsOf, startFacts } from './items.ts'
import type { OpenItem, Segment, TextPlace } from './open-item.ts'

/**
 * Creates the partial events for items. Items are shown one after the other in the order in which they began: events
 * of a later item are held until the earlier items are complete. The events therefore give the same message as the
 * response without streaming.
 */
export class ItemEvents {
  readonly #around: Around
  /** All items, in the order in which they are shown. */
  readonly #items: OpenItem[] = []
  /** The index of the first incomplete item, whose events are shown at once. */
  #first = 0
  #events: PartialEvent[] = []
  #texts = 0

  constructor(around: Around) {
    this.#around = around
  }

  /** Removes and returns the events since the last call. */
  take(): readonly PartialEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** Adds an item after the earlier ones. */
  queue(open: OpenItem): void {
    this.#items.push(open)
  }

  /** Announces a call as soon as its name is known, even if it is incomplete. */
  announce(open: OpenItem): void {
    const kind = callKindOf(open.item, this.#around.tools)
    if (open.callId !== undefined || !kind || !isNamed(open.item)) return
    const id = callIdOf(open.item, this.#around)
    open.callId = id
    const { name } = kind
    this.emit(open, { type: 'tool-call-start', id, name, ...ran(kind.isProviderRun) })
    const delta = open.argumentsText.toString()
    if (delta !== '') this.emit(open, { type: 'tool-call-delta', id, delta })
  }

  addArguments(open: OpenItem, delta: string): void {
    const isShown = open.callId !== undefined
    open.argumentsText.add(delta)
    if (!isShown) this.announce(open)
    else this.emit(open, { type: 'tool-call-delta', id: open.callId ?? '', delta })
  }

  addText(open: OpenItem, place: TextPlace, delta: string): void {
    const kind = open.item['type'] === 'reasoning' ? 'reasoning' : 'text'
    const isLive = open.isLive(place.list)
    let segment = open.segmentAt(place)
    if (!segment) {
      segment = open.addSegment(place, `${kind}-${this.#texts++}`)
      const facts = startFacts(place.entry, this.#around)
      if (isLive) this.emit(open, { type: `${kind}-start`, id: segment.id, ...facts })
    }
    if (delta === '') return
    segment.text.add(delta)
    if (isLive) this.emit(open, { type: DELTA_TYPES[kind], id: segment.id, delta })
  }

  /** Shows an event, or holds it until the earlier items are complete. */
  emit(open: OpenItem, event: PartialEvent): void {
    if (this.#items[this.#first] !== open) open.held.push(event)
    // Most chunks have one event, for which a list that grows would be three times as large.
    else if (this.#events.length === 0) this.#events = [event]
    else this.#events.push(event)
  }

  /** Shows the rest of an item at its end. */
  close(open: OpenItem, given: JsonObject): void {
    if (open.settled) return
    // An item keeps the type with which it was shown.
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
    // Free the id, since it belongs to this very call.
    if (open.callId !== undefined) this.#around.taken.delete(open.callId)
    const parts = partsOf(item, this.#around)
    const texts = open.textsInOrder(item)
    let at = 0
    for (const part of parts) {
      if (part.type === 'text' || part.type === 'reasoning') this.#emitText(open, part, texts[at++])
      else if (part.type === 'tool-call') this.#emitCall(open, part, isShown)
      else this.emit(open, part)
    }
  }

  #emitText(open: OpenItem, part: Part & { text: string }, shown: Segment | undefined): void {
    const type = part.type as 'text' | 'reasoning'
    const id = shown?.id ?? `${type}-${this.#texts++}`
    const { providerMetadata } = part
    const facts = providerMetadata ? { providerMetadata } : {}
    if (!shown) this.emit(open, { type: `${type}-start`, id, ...(type === 'text' ? facts : {}) })
    const rest = part.text.slice(shown?.text.length ?? 0)
    if (rest !== '') this.emit(open, { type: `${type}-delta`, id, delta: rest })
    this.emit(open, { type: `${type}-end`, id, ...facts })
  }

  #emitCall(open: OpenItem, part: ToolCallPart, isShown: boolean): void {
    const { callId: id, name, input, type: _, ...facts } = part
    if (!isShown) {
      this.emit(open, { type: 'tool-call-start', id, name, ...ran(facts.providerExecuted) })
    }
    const whole = callText(open.settled ?? open.item, this.#around.tools)
    const shown = isShown ? open.argumentsText.toString() : ''
    const rest = whole.startsWith(shown) ? whole.slice(shown.length) : ''
    if (rest !== '') this.emit(open, { type: 'tool-call-delta', id, delta: rest })
    this.emit(open, { type: 'tool-call-end', id, input, ...facts })
  }

  /** Releases events whose earlier items are now complete. */
  #release(): void {
    while (this.#items[this.#first]?.settled) {
      const next = this.#items[++this.#first]
      for (const event of next?.held.splice(0) ?? []) this.#events.push(event)
    }
  }
}

function ran(byProvider: boolean | undefined): { providerExecuted?: true } {
  return byProvider ? { providerExecuted: true } : {}
}

/** Whether a function call has its name, which may arrive late. */
function isNamed({ type, name }: JsonObject): boolean {
  const needsName = type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call'
  return !needsName || textIn(name) !== undefined
}
