import { objectsIn, textIn } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { StopScanner } from './stop-scanner.ts'

/** What is left of something before a stop sequence, and that sequence, if there is one. */
interface Cut<T> {
  readonly left: T
  readonly stop?: string
}

/** Ends a response at the first stop sequence in its text, as an API with stop sequences would have ended it. */
export function stoppedResponse(response: JsonObject, stops: readonly string[]): Cut<JsonObject> {
  if (stops.length === 0) return { left: response }
  const cut = untilCut(objectsIn(response['output']), (item) => stoppedItem(item, stops))
  if (cut.stop === undefined) return { left: response }
  return { left: endedBy(cut.stop, { ...response, output: cut.left }), stop: cut.stop }
}

/** A response that ended by a stop sequence, whatever ended it later. */
export function endedBy(stop_sequence: string, response: JsonObject): JsonObject {
  return { ...response, status: 'completed', incomplete_details: null, stop_sequence }
}

/** Ends an item at the first stop sequence, if it is a message. */
export function stoppedItem(item: JsonObject, stops: readonly string[]): Cut<JsonObject> {
  if (item['type'] !== 'message') return { left: item }
  const cut = untilCut(objectsIn(item['content']), (entry) => stoppedEntry(entry, stops))
  if (cut.stop === undefined) return { left: item }
  return { left: { ...item, content: cut.left }, stop: cut.stop }
}

function stoppedEntry(entry: JsonObject, stops: readonly string[]): Cut<JsonObject> {
  const scanner = new StopScanner(stops)
  const text = scanner.add(textIn(entry['text']) ?? '')
  const stop = scanner.found
  if (stop === undefined) return { left: entry }
  const { logprobs: _, ...rest } = entry
  const cited = objectsIn(entry['annotations'])
  const annotations = cited.filter(
    ({ end_index: end, index = 0 }) => Number(end ?? index) <= text.length,
  )
  return { left: { ...rest, text, annotations }, stop }
}

/** All up to the first one that is cut, which is the last. */
function untilCut(
  all: readonly JsonObject[],
  cut: (one: JsonObject) => Cut<JsonObject>,
): Cut<readonly JsonObject[]> {
  for (const [index, one] of all.entries()) {
    const { left, stop } = cut(one)
    if (stop !== undefined) return { left: [...all.slice(0, index), left], stop }
  }
  return { left: all }
}

const DELTA = 'response.output_text.delta'

interface OpenText {
  readonly scanner: StopScanner
  readonly event: JsonObject
}

/**
 * The events of a response up to the first stop sequence in its text, and its end with the usage. The end of a text that
 * may begin a stop sequence comes with the next event that decides it.
 */
export class EventsUntilStop {
  readonly #stops: readonly string[]
  readonly #isLast: (event: JsonObject) => boolean
  readonly #texts = new Map<string, OpenText>()
  /** The stop sequence that has come. */
  #stop: string | undefined

  constructor(stops: readonly string[], isLast: (event: JsonObject) => boolean) {
    this.#stops = stops
    this.#isLast = isLast
  }

  get held(): number {
    return this.#texts.size
  }

  add(event: JsonObject): readonly JsonObject[] {
    const { type } = event
    if (type === 'response.created') return this.#begin(event)
    if (this.#isLast(event)) return this.#end(event)
    if (this.#stop !== undefined) return []
    if (type === DELTA) return this.#addText(event)
    return type === 'response.output_item.done' ? this.#endItem(event) : [event]
  }

  #begin(event: JsonObject): readonly JsonObject[] {
    this.#texts.clear()
    this.#stop = undefined
    return [event]
  }

  #addText(event: JsonObject): readonly JsonObject[] {
    const { output_index, item_id, content_index = 0 } = event
    const key = JSON.stringify([output_index ?? item_id, content_index])
    const known = this.#texts.get(key)
    const scanner = known?.scanner ?? new StopScanner(this.#stops)
    if (!known) this.#texts.set(key, { scanner, event })
    const delta = scanner.add(textIn(event['delta']) ?? '')
    this.#stop = scanner.found
    return [{ ...event, delta }]
  }

  #endItem(event: JsonObject): readonly JsonObject[] {
    const { item } = event
    const { left, stop } = stoppedItem(isObject(item) ? item : {}, this.#stops)
    this.#stop = stop
    return stop === undefined ? [...this.#rests(), event] : [{ ...event, item: left }]
  }

  #end(event: JsonObject): readonly JsonObject[] {
    const response = isObject(event['response']) ? event['response'] : {}
    const { left, stop = this.#stop } = stoppedResponse(response, this.#stops)
    if (stop === undefined) return [...this.#rests(), event]
    return [{ ...event, response: endedBy(stop, left) }]
  }

  /** What was held back of texts that end without a stop sequence. */
  #rests(): readonly JsonObject[] {
    const rests = [...this.#texts.values()].map(({ scanner, event }) => ({
      ...event,
      delta: scanner.rest(),
    }))
    this.#texts.clear()
    return rests.filter(({ delta }) => delta !== '')
  }
}
