import { isObject, type JsonObject } from '@braidwork/plugin'
import { sseFrames } from '../frames.ts'
import { IllegalFrame, inner, objectOf } from '../illegal-frame.ts'

/** How items of a kind go: what opens their text, goes on with it and says all of it, and what stands last. */
interface Course {
  readonly opens: string
  readonly delta: string
  readonly says: string
  readonly field: string
  /** What may stand before the end of the item. */
  readonly last: readonly string[]
}

const ADDED = 'response.output_item.added'
const MCP_BEGUN = 'response.mcp_call.in_progress'
const MCP_SAID = 'response.mcp_call_arguments.done'

const COURSES: ReadonlyMap<unknown, Course> = new Map([
  [
    'message',
    {
      opens: 'response.content_part.added',
      delta: 'response.output_text.delta',
      says: 'response.output_text.done',
      field: 'text',
      last: ['response.content_part.done'],
    },
  ],
  [
    'refusal',
    {
      opens: 'response.content_part.added',
      delta: 'response.refusal.delta',
      says: 'response.refusal.done',
      field: 'refusal',
      last: ['response.content_part.done'],
    },
  ],
  [
    'reasoning',
    {
      opens: 'response.reasoning_summary_part.added',
      delta: 'response.reasoning_summary_text.delta',
      says: 'response.reasoning_summary_text.done',
      field: 'text',
      // Reasoning that is sealed has no summary.
      last: ['response.reasoning_summary_part.done', ADDED],
    },
  ],
  [
    'function_call',
    {
      opens: ADDED,
      delta: 'response.function_call_arguments.delta',
      says: 'response.function_call_arguments.done',
      field: 'arguments',
      last: ['response.function_call_arguments.done'],
    },
  ],
  [
    'custom_tool_call',
    {
      opens: ADDED,
      delta: 'response.custom_tool_call_input.delta',
      says: 'response.custom_tool_call_input.done',
      field: 'input',
      last: ['response.custom_tool_call_input.done'],
    },
  ],
  [
    'mcp_call',
    {
      opens: MCP_BEGUN,
      delta: 'response.mcp_call_arguments.delta',
      says: MCP_SAID,
      field: 'arguments',
      last: ['response.mcp_call.completed', 'response.mcp_call.failed'],
    },
  ],
])

const IMAGE_MADE = 'response.image_generation_call.completed'

/** Events of parts, each with those of which one must come before it in its item. */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['response.content_part.added', [ADDED]],
  ['response.reasoning_summary_part.added', [ADDED]],
  ['response.content_part.done', ['response.output_text.done', 'response.refusal.done']],
  ['response.reasoning_summary_part.done', ['response.reasoning_summary_text.done']],
  [IMAGE_MADE, [ADDED]],
  [MCP_BEGUN, [ADDED]],
  ['response.mcp_call.completed', [MCP_SAID]],
  ['response.mcp_call.failed', [MCP_SAID]],
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
  #isRefusal = false
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
    else if (type === ADDED) this.#add(data)
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
    this.#isRefusal = false
    this.#last = ADDED
  }

  #done(data: JsonObject): void {
    const item = inner(data, 'item')
    if (!this.#item || this.#item['id'] !== item['id'] || this.#item['type'] !== item['type']) {
      throw illegal('It ends another item than the open one', data)
    }
    const { last } = COURSES.get(item['type']) ?? { last: [IMAGE_MADE] }
    if (!last.includes(this.#last)) throw illegal('The item is not whole', data)
    if (data['output_index'] !== this.#output.length) throw illegal('The place is another', data)
    this.#output.push(JSON.stringify(item))
    this.#item = undefined
  }

  #inItem(type: string, data: JsonObject): void {
    const item = this.#item
    if (!item || data['item_id'] !== item['id'] || data['output_index'] !== this.#output.length) {
      throw illegal('It is of no open item', data)
    }
    const course = COURSES.get(this.#isRefusal ? 'refusal' : item['type'])
    if (type !== course?.delta && type !== course?.says) {
      this.#part(type, data)
      return
    }
    if (this.#last !== course.opens) throw illegal('No text is open', data)
    if (type === course.delta) this.#grow(data)
    else this.#say(data, course)
  }

  #grow({ delta, ...data }: JsonObject): void {
    if (typeof delta !== 'string') throw illegal('The delta is no text', data)
    this.#text += delta
  }

  #say(data: JsonObject, { says, field }: Course): void {
    if (data[field] !== this.#text) throw illegal('It is not what the deltas say', data)
    this.#last = says
  }

  #part(type: string, data: JsonObject): void {
    if (type === 'response.output_text.annotation.added') {
      if (!isObject(data['annotation'])) throw illegal('There is no annotation', data)
      return
    }
    const before = PARTS.get(type)
    if (!before?.includes(this.#last)) throw illegal('It has no place here', data)
    const part = data['part']
    this.#isRefusal = isObject(part) && part['type'] === 'refusal'
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
