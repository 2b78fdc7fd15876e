import type { JsonObject } from '@braidwork/plugin'
import { sseFrames } from '../frames.ts'
import { IllegalFrame, inner, objectOf } from '../illegal-frame.ts'

/** The deltas that a block takes, and the field of each that is a text. */
const DELTAS: { readonly [block: string]: { readonly [delta: string]: string } } = {
  text: { text_delta: 'text', citations_delta: '' },
  thinking: { thinking_delta: 'thinking', signature_delta: 'signature' },
  redacted_thinking: {},
  tool_use: { input_json_delta: 'partial_json' },
  mcp_tool_use: {},
  mcp_tool_result: {},
}

const REASONS = new Set<unknown>(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal'])

type Step = (data: JsonObject) => void

/** Follows the events of one message, and throws at the first that is not allowed where it stands. */
export class AnthropicMessagesChecker {
  #state: 'new' | 'open' | 'stopping' | 'over' = 'new'
  /** The type of the open block. */
  #block: string | undefined
  #index = -1
  #calls = 0
  readonly #steps: { readonly [type: string]: Step } = {
    message_start: (data) => this.#start(data),
    content_block_start: (data) => this.#startBlock(data),
    content_block_delta: (data) => this.#delta(data),
    content_block_stop: (data) => this.#stopBlock(data),
    message_delta: (data) => this.#end(data),
    message_stop: (data) => this.#stop(data),
    error: (data) => this.#fail(data),
  }

  /** @throws {IllegalFrame} */
  check(text: string): void {
    for (const frame of sseFrames(text)) {
      const data = objectOf(frame)
      if (this.#state === 'over') throw illegal('It comes after the end', data)
      if (frame.event !== data['type']) throw illegal(`It is called "${frame.event}"`, data)
      const step = this.#steps[String(frame.event)]
      if (step === undefined) throw illegal('No event is called so', data)
      step(data)
    }
  }

  /** @throws {IllegalFrame} where the ending is missing */
  end(): void {
    if (this.#state !== 'over') throw new IllegalFrame('There is no ending', this.#state)
  }

  #start(data: JsonObject): void {
    const { id, role, content, stop_reason } = inner(data, 'message')
    const isEmpty = Array.isArray(content) && content.length === 0 && stop_reason === null
    if (this.#state !== 'new' || typeof id !== 'string' || role !== 'assistant' || !isEmpty) {
      throw illegal('It begins no message', data)
    }
    checkUsage(inner(inner(data, 'message'), 'usage'))
    this.#state = 'open'
  }

  #startBlock(data: JsonObject): void {
    this.#inBlock(false, data)
    const { type, id, name } = inner(data, 'content_block')
    if (typeof type !== 'string' || !Object.hasOwn(DELTAS, type))
      throw illegal('No such block', data)
    if (data['index'] !== this.#index + 1) throw illegal('The index is not the next', data)
    const isCall = type === 'tool_use'
    if (isCall && (typeof id !== 'string' || typeof name !== 'string')) {
      throw illegal('The call has no id or no name', data)
    }
    this.#index++
    this.#block = type
    this.#calls += isCall ? 1 : 0
  }

  #delta(data: JsonObject): void {
    this.#inBlock(true, data)
    const delta = inner(data, 'delta')
    const known = DELTAS[String(this.#block)] ?? {}
    const type = String(delta['type'])
    if (!Object.hasOwn(known, type)) throw illegal(`A ${this.#block} takes no such delta`, data)
    const field = known[type]
    if (field && typeof delta[field] !== 'string') throw illegal('The delta has no text', data)
  }

  #stopBlock(data: JsonObject): void {
    this.#inBlock(true, data)
    this.#block = undefined
  }

  #end(data: JsonObject): void {
    this.#inBlock(false, data)
    const { stop_reason, stop_sequence } = inner(data, 'delta')
    if (!REASONS.has(stop_reason)) throw illegal('The reason is none', data)
    if (stop_reason === 'tool_use' && this.#calls === 0) throw illegal('There was no call', data)
    if ((stop_reason === 'stop_sequence') !== (typeof stop_sequence === 'string')) {
      throw illegal('A stop sequence comes with its reason', data)
    }
    checkUsage(inner(data, 'usage'))
    this.#state = 'stopping'
  }

  #stop(data: JsonObject): void {
    if (this.#state !== 'stopping') throw illegal('There was no reason to stop', data)
    this.#state = 'over'
  }

  #fail(data: JsonObject): void {
    const { type, message } = inner(data, 'error')
    if (this.#state !== 'open' || typeof type !== 'string' || typeof message !== 'string') {
      throw illegal('The error has no place here, or no type and message', data)
    }
    this.#state = 'over'
  }

  /** Blocks come one after the other. */
  #inBlock(isIn: boolean, data: JsonObject): void {
    if (this.#state !== 'open') throw illegal('No message is open', data)
    if ((this.#block !== undefined) !== isIn) throw illegal('Blocks begin and end in turn', data)
    if (isIn && data['index'] !== this.#index) throw illegal('It is of another block', data)
  }
}

function checkUsage(usage: JsonObject): void {
  const counts = ['input_tokens', 'output_tokens']
  if (counts.every((count) => Number.isSafeInteger(usage[count]))) return
  throw illegal('The usage lacks a count', usage)
}

function illegal(reason: string, data: JsonObject): IllegalFrame {
  return new IllegalFrame(reason, JSON.stringify(data))
}
