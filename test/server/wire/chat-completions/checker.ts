import { isObject, type JsonObject } from '@braidwork/plugin'
import { sseFrames } from '../frames.ts'
import { IllegalFrame, inner, objectOf } from '../illegal-frame.ts'

type State = 'new' | 'open' | 'finished' | 'counted' | 'failed' | 'over'

const DELTA = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'tool_calls',
  'annotations',
])
const REASONS = new Set<unknown>(['stop', 'length', 'tool_calls', 'content_filter'])

/** Follows the frames of one chat completion, and throws at the first that is not allowed where it stands. */
export class ChatCompletionChecker {
  #state: State = 'new'
  #head: string | undefined
  #call = -1

  /** @throws {IllegalFrame} */
  check(text: string): void {
    for (const frame of sseFrames(text)) {
      if (this.#state === 'over') throw new IllegalFrame('It comes after the end', frame.data)
      const chunk = frame.data === '[DONE]' ? undefined : objectOf(frame)
      const name = isObject(chunk?.['error']) ? 'error' : undefined
      if (frame.event !== name) throw new IllegalFrame('Errors alone have a name', frame.data)
      if (chunk) this.#chunk(chunk)
      else this.#done()
    }
  }

  /** @throws {IllegalFrame} where the ending is missing */
  end(): void {
    if (this.#state !== 'over') throw new IllegalFrame('There is no [DONE]', this.#state)
  }

  #done(): void {
    const isEnded = ['finished', 'counted', 'failed'].includes(this.#state)
    if (!isEnded) throw new IllegalFrame('It ends before a reason or an error', this.#state)
    this.#state = 'over'
  }

  #chunk(chunk: JsonObject): void {
    if (isObject(chunk['error'])) this.#error(chunk, chunk['error'])
    else {
      this.#sameHead(chunk)
      this.#choices(chunk)
    }
  }

  #choices(chunk: JsonObject): void {
    const { choices } = chunk
    const [choice, ...others]: readonly unknown[] = Array.isArray(choices) ? choices : [null]
    if (others.length > 0) throw illegal('There is more than one choice', chunk)
    if (choice === undefined) this.#usage(chunk)
    else if (isObject(choice) && choice['index'] === 0) this.#choice(choice, chunk)
    else throw illegal('The choice is none', chunk)
  }

  #error(chunk: JsonObject, { message, type }: JsonObject): void {
    if (this.#state === 'finished' || this.#state === 'counted' || this.#state === 'failed') {
      throw illegal('An error comes after the end', chunk)
    }
    if (typeof message !== 'string' || typeof type !== 'string') {
      throw illegal('The error has no message or no type', chunk)
    }
    this.#state = 'failed'
  }

  #sameHead(chunk: JsonObject): void {
    const { id, object, created, model } = chunk
    const head = JSON.stringify([id, object, created, model])
    const isHead =
      typeof id === 'string' && Number.isSafeInteger(created) && typeof model === 'string'
    if (!isHead || object !== 'chat.completion.chunk') throw illegal('It is no chunk', chunk)
    this.#head ??= head
    if (this.#head !== head) throw illegal('It is of another completion', chunk)
  }

  #usage(chunk: JsonObject): void {
    if (this.#state !== 'finished') throw illegal('Usage comes after the reason, once', chunk)
    const usage = inner(chunk, 'usage')
    const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens']
    if (!counts.every((count) => Number.isSafeInteger(usage[count]))) {
      throw illegal('The usage lacks a count', chunk)
    }
    this.#state = 'counted'
  }

  #choice(choice: JsonObject, chunk: JsonObject): void {
    const delta = inner(choice, 'delta')
    const isFirst = this.#state === 'new'
    if (!isFirst && this.#state !== 'open') throw illegal('It comes after the reason', chunk)
    if (isFirst !== (delta['role'] === 'assistant')) throw illegal('The first has the role', chunk)
    this.#state = 'open'
    if (!Object.keys(delta).every((key) => DELTA.has(key))) throw illegal('Unknown field', chunk)
    if (delta['tool_calls'] !== undefined) this.#toolCall(delta['tool_calls'], chunk)
    const reason = choice['finish_reason']
    if (reason === null) return
    if (!REASONS.has(reason)) throw illegal('The reason is none', chunk)
    if (reason === 'tool_calls' && this.#call < 0) throw illegal('There was no call', chunk)
    this.#state = 'finished'
  }

  /** Calls come one after the other: clients take a call for whole when the next begins. */
  #toolCall(calls: unknown, chunk: JsonObject): void {
    const [call, ...others]: readonly unknown[] = Array.isArray(calls) ? calls : []
    if (!isObject(call) || others.length > 0) throw illegal('A delta has one call', chunk)
    const { index, id, type } = call
    const called = inner(call, 'function')
    if (typeof called['arguments'] !== 'string') throw illegal('There are no arguments', chunk)
    if (id === undefined && index === this.#call) return
    const isNext = index === this.#call + 1 && typeof id === 'string' && type === 'function'
    if (!isNext || typeof called['name'] !== 'string') throw illegal('It begins no call', chunk)
    this.#call++
  }
}

function illegal(reason: string, chunk: JsonObject): IllegalFrame {
  return new IllegalFrame(reason, JSON.stringify(chunk))
}
