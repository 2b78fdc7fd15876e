import { objectsIn, textIn } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { StopScanner } from './stop-scanner.ts'

/** What is left of something before the first stop sequence. */
interface Cut<T> {
  readonly left: T
  readonly isCut: boolean
}

/** Ends a response at the first stop sequence in its text, as an API with stop sequences would have ended it. */
export function stoppedResponse(response: JsonObject, stops: readonly string[]): Cut<JsonObject> {
  if (stops.length === 0) return { left: response, isCut: false }
  const { left, isCut } = untilCut(objectsIn(response['output']), (item) =>
    stoppedItem(item, stops),
  )
  return isCut
    ? { left: endedByStop({ ...response, output: left }), isCut }
    : { left: response, isCut }
}

/** A response that ended by a stop sequence, whatever ended it later. */
export function endedByStop(response: JsonObject): JsonObject {
  return { ...response, status: 'completed', incomplete_details: null }
}

/** Ends an item at the first stop sequence, if it is a message. */
export function stoppedItem(item: JsonObject, stops: readonly string[]): Cut<JsonObject> {
  if (item['type'] !== 'message') return { left: item, isCut: false }
  const { left, isCut } = untilCut(objectsIn(item['content']), (entry) =>
    stoppedEntry(entry, stops),
  )
  return isCut ? { left: { ...item, content: left }, isCut } : { left: item, isCut }
}

function stoppedEntry(entry: JsonObject, stops: readonly string[]): Cut<JsonObject> {
  const scanner = new StopScanner(stops)
  const text = scanner.add(textIn(entry['text']) ?? '')
  if (!scanner.isFound) return { left: entry, isCut: false }
  const { logprobs: _, ...rest } = entry
  const cited = objectsIn(entry['annotations'])
  const annotations = cited.filter(
    ({ end_index: end, index = 0 }) => Number(end ?? index) <= text.length,
  )
  return { left: { ...rest, text, annotations }, isCut: true }
}

/** All up to the first one that is cut, which is the last. */
function untilCut(
  all: readonly JsonObject[],
  cut: (one: JsonObject) => Cut<JsonObject>,
): Cut<readonly JsonObject[]> {
  for (const [index, one] of all.entries()) {
    const { left, isCut } = cut(one)
    if (isCut) return { left: [...all.slice(0, index), left], isCut }
  }
  return { left: all, isCut: false }
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
  #isStopped = false

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
    if (this.#isStopped) return []
    if (type === DELTA) return this.#addText(event)
    return type === 'response.output_item.done' ? this.#endItem(event) : [event]
  }

  #begin(event: JsonObject): readonly JsonObject[] {
    this.#texts.clear()
    this.#isStopped = false
    return [event]
  }

  #addText(event: JsonObject): readonly JsonObject[] {
    const { output_index, item_id, content_index = 0 } = event
    const key = JSON.stringify([output_index ?? item_id, content_index])
    const known = this.#texts.get(key)
    const scanner = known?.scanner ?? new StopScanner(this.#stops)
    if (!known) this.#texts.set(key, { scanner, event })
    const delta = scanner.add(textIn(event['delta']) ?? '')
    this.#isStopped = scanner.isFound
    return [{ ...event, delta }]
  }

  #endItem(event: JsonObject): readonly JsonObject[] {
    const { item } = event
    const { left, isCut } = stoppedItem(isObject(item) ? item : {}, this.#stops)
    this.#isStopped = isCut
    return isCut ? [{ ...event, item: left }] : [...this.#rests(), event]
  }

  #end(event: JsonObject): readonly JsonObject[] {
    const response = isObject(event['response']) ? event['response'] : {}
    const { left, isCut } = stoppedResponse(response, this.#stops)
    if (this.#isStopped || isCut) return [{ ...event, response: endedByStop(left) }]
    return [...this.#rests(), event]
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
