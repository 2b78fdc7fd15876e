import { isObject, type JsonObject } from '../../events/index.ts'
import { IllegalFrame, inner, objectOf } from '../illegal-frame.ts'
import { sseFrames } from '../sse.ts'

/** Per kind of item: its deltas, and the event that says them all at once, with its field. */
const TEXTS: ReadonlyMap<unknown, readonly [delta: string, done: string, field: string]> = new Map([
  ['message', ['response.output_text.delta', 'response.output_text.done', 'text']],
  [
    'reasoning',
    ['response.reasoning_summary_text.delta', 'response.reasoning_summary_text.done', 'text'],
  ],
  [
    'function_call',
    [
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'arguments',
    ],
  ],
])

/** Events of parts, each with the one that must come before it in its item. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['response.content_part.added', 'response.output_item.added'],
  ['response.reasoning_summary_part.added', 'response.output_item.added'],
  ['response.content_part.done', 'response.output_text.done'],
  ['response.reasoning_summary_part.done', 'response.reasoning_summary_text.done'],
  ['response.image_generation_call.completed', 'response.output_item.added'],
])

const ENDINGS: ReadonlyMap<string, readonly unknown[]> = new Map([
  ['response.completed', ['completed']],
  ['response.incomplete', ['incomplete']],
  ['response.failed', ['failed', 'cancelled']],
])

/** Follows the events of one response, and throws at the first that is not allowed where it stands. */
export class ResponsesChecker {
  #next = 0
  #state: 'new' | 'created' | 'open' | 'over' = 'new'
  readonly #output: string[] = []
  #item: JsonObject | undefined
  #text = ''
  /** The last event of the open item that is no delta. */
  #last = ''

  /** @throws {IllegalFrame} */
  check(text: string): void {
    for (const frame of sseFrames(text)) {
      const data = objectOf(frame)
      const { type, sequence_number } = data
      if (this.#state === 'over') throw illegal('It comes after the end', data)
      if (frame.event !== type || typeof type !== 'string')
        throw illegal('Its name is not its type', data)
      if (sequence_number !== this.#next) throw illegal(`Its number is not ${this.#next}`, data)
      this.#next++
      this.#step(type, data)
    }
  }

  /** @throws {IllegalFrame} where the ending is missing */
  end(): void {
    if (this.#state !== 'over') throw new IllegalFrame('There is no ending', this.#state)
  }

  #step(type: string, data: JsonObject): void {
    if (this.#state === 'new' || this.#state === 'created') this.#begin(type, data)
    else if (ENDINGS.has(type)) this.#end(type, data)
    else if (type === 'response.output_item.added') this.#add(data)
    else if (type === 'response.output_item.done') this.#done(data)
    else this.#inItem(type, data)
  }

  #begin(type: string, data: JsonObject): void {
    const expected = this.#state === 'new' ? 'response.created' : 'response.in_progress'
    const { status, id } = inner(data, 'response')
    if (type !== expected || status !== 'in_progress' || typeof id !== 'string') {
      throw illegal(`It is no ${expected}`, data)
    }
    this.#state = this.#state === 'new' ? 'created' : 'open'
  }

  #add(data: JsonObject): void {
    const item = inner(data, 'item')
    if (this.#item) throw illegal('An item is still open', data)
    if (data['output_index'] !== this.#output.length || typeof item['id'] !== 'string') {
      throw illegal('The item has no place or no id', data)
    }
    this.#item = item
    this.#text = ''
    this.#last = 'response.output_item.added'
  }

  #done(data: JsonObject): void {
    const item = inner(data, 'item')
    if (!this.#item || this.#item['id'] !== item['id'] || this.#item['type'] !== item['type']) {
      throw illegal('It ends another item than the open one', data)
    }
    if (this.#last.endsWith('_part.added')) throw illegal('A part is still open', data)
    if (data['output_index'] !== this.#output.length) throw illegal('The place is another', data)
    this.#output.push(JSON.stringify(item))
    this.#item = undefined
  }

  #inItem(type: string, data: JsonObject): void {
    const item = this.#item
    if (!item || data['item_id'] !== item['id'] || data['output_index'] !== this.#output.length) {
      throw illegal('It is of no open item', data)
    }
    const [delta, done, field = ''] = TEXTS.get(item['type']) ?? []
    if (type === delta) this.#grow(data)
    else if (type === done) {
      if (data[field] !== this.#text) throw illegal('It is not what the deltas say', data)
      this.#last = type
    } else this.#part(type, data)
  }

  #grow(data: JsonObject): void {
    const isBegun = this.#item?.['type'] === 'function_call' || this.#last.endsWith('_part.added')
    if (!isBegun || typeof data['delta'] !== 'string') throw illegal('No part is open', data)
    this.#text += data['delta']
  }

  #part(type: string, data: JsonObject): void {
    if (type === 'response.output_text.annotation.added') {
      if (!isObject(data['annotation'])) throw illegal('There is no annotation', data)
      return
    }
    const before = PARTS.get(type)
    if (before === undefined || before !== this.#last) throw illegal('It has no place here', data)
    this.#last = type
  }

  #end(type: string, data: JsonObject): void {
    const { status, output, error } = inner(data, 'response')
    const isFailed = type === 'response.failed'
    if (this.#item && !isFailed) throw illegal('An item is still open', data)
    if (!ENDINGS.get(type)?.includes(status)) throw illegal('The status is another', data)
    if (isFailed !== isObject(error)) throw illegal('An error comes with a failure', data)
    const items = Array.isArray(output) ? output.map((item) => JSON.stringify(item)) : []
    if (items.join() !== this.#output.join()) throw illegal('The output is another', data)
    this.#state = 'over'
  }
}

function illegal(reason: string, data: JsonObject): IllegalFrame {
  return new IllegalFrame(reason, JSON.stringify(data))
}
