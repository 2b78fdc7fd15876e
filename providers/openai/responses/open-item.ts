import { objectsIn, textIn, without } from '@braidwork/model-api/exchange'
import { GrowingText, isObject, type JsonObject, type PartialEvent } from '@braidwork/plugin'
import { type TextList, textKeyOf, textsOf } from './items.ts'

/** Identifies the text of an item that an event adds to. */
export interface TextPlace {
  readonly list: TextList
  /** The list entry to create if the item has none there. */
  readonly entry: JsonObject
  readonly index: number
}

/** A text that is being streamed. */
export interface Segment extends TextPlace {
  /** The id in its partial events. */
  readonly id: string
  readonly text: GrowingText
}

/** An output item that is being streamed. */
export class OpenItem {
  readonly item: JsonObject
  /** Partial events held until the earlier items are complete. */
  readonly held: PartialEvent[] = []
  readonly argumentsText = new GrowingText()
  callId: string | undefined
  /** The final item, after its end. */
  settled: JsonObject | undefined
  readonly #segments = new Map<string, Segment>()
  /** The segment of the last delta; the next delta usually belongs to it too. */
  #recent: Segment | undefined
  #liveList: TextList | undefined
  readonly #annotations = new Map<number, JsonObject[]>()

  constructor(item: JsonObject) {
    this.item = item
  }

  /** Whether items of this type have such a list of texts. */
  hasList(list: TextList): boolean {
    const { type } = this.item
    return type === 'reasoning' || (type === 'message' && list === 'content')
  }

  segmentAt({ list, index }: TextPlace): Segment | undefined {
    const recent = this.#recent
    if (recent?.list === list && recent.index === index) return recent
    this.#recent = this.#segments.get(`${list}:${index}`)
    return this.#recent
  }

  /** Whether a list is streamed: the first list of an item is; others are shown at the item's end. */
  isLive(list: TextList): boolean {
    this.#liveList ??= list
    return this.#liveList === list
  }

  addSegment(place: TextPlace, id: string): Segment {
    const segment = { ...place, id, text: new GrowingText() }
    this.#segments.set(`${place.list}:${place.index}`, segment)
    return segment
  }

  addAnnotation(index: number, annotation: JsonObject): void {
    const known = this.#annotations.get(index)
    if (known) known.push(annotation)
    else this.#annotations.set(index, [annotation])
  }

  /**
   * Stores the final item, adjusted to the events already shown: a call keeps its id, and a streamed text stays in its
   * place.
   */
  settle(last: JsonObject, idKey: 'id' | 'call_id' | undefined): void {
    const id = idKey && this.callId !== undefined ? { [idKey]: this.callId } : {}
    const name = textIn(this.item['name']) === undefined ? {} : { name: this.item['name'] }
    const shown = new Set([...this.#segments.values()].map(({ list }) => list))
    const lists = [...shown].map((list) => [list, this.#settleList(list, last[list])])
    // Streamed lists come first, in the order in which they were shown, since that decides the order of the parts.
    this.settled = { ...Object.fromEntries(lists), ...without(last, ...shown), ...name, ...id }
  }

  /** The streamed segment for each text of the final item; `undefined` for a text that was not streamed. */
  textsInOrder(settled: JsonObject): (Segment | undefined)[] {
    const shown = this.#liveList === undefined ? [] : this.#segmentsOf(this.#liveList)
    let at = 0
    return textsOf(settled).map(({ list }) => (list === this.#liveList ? shown[at++] : undefined))
  }

  /** The item as built from its deltas. */
  asFarAsItCame(): JsonObject {
    const key = this.item['type'] === 'custom_tool_call' ? 'input' : 'arguments'
    const text = this.argumentsText.toString()
    return text === '' ? this.item : { ...this.item, [key]: text }
  }

  #segmentsOf(list: TextList): readonly Segment[] {
    return [...this.#segments.values()].filter((segment) => segment.list === list)
  }

  #settleList(list: TextList, given: unknown): readonly JsonObject[] {
    const segments = this.#segmentsOf(list)
    const entries: readonly unknown[] = Array.isArray(given) ? given : []
    const shown = new Set(segments.map(({ index }) => index))
    const others = objectsIn(entries.filter((_, index) => !shown.has(index)))
    return [
      ...segments.map((segment) => this.#settleEntry(entries[segment.index], segment)),
      ...others,
    ]
  }

  #settleEntry(given: unknown, { entry, text: shown, index }: Segment): JsonObject {
    const text = shown.toString()
    const whole = isObject(given) && textKeyOf(given) ? given : entry
    const key = textKeyOf(whole) ?? 'text'
    const said = String(whole[key])
    const cited = this.#annotations.get(index)
    const lacks = cited && objectsIn(whole['annotations']).length === 0
    return {
      ...whole,
      [key]: said.startsWith(text) ? said : text,
      ...(lacks ? { annotations: cited } : {}),
    }
  }
}
