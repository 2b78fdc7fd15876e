import { GrowingText } from '@braidwork/plugin'
import { Line, sseData } from '../index.ts'
import { encryptedValue, frameOf, headOf } from './events.ts'
import { type KeptMessages, restOf } from './kept-messages.ts'
import type { MessageIds } from './message-ids.ts'

/** A tool call as known at its start. */
export interface StartedCall {
  readonly id: string
  readonly name: string
  readonly providerExecuted?: boolean
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

/** A tool call as known at its end. */
export interface EndedCall extends Omit<StartedCall, 'name'> {
  readonly input: unknown
}

interface Call {
  readonly start: StartedCall
  /** Argument text of a call that is not first in the queue. */
  readonly text: GrowingText
  end: EndedCall | undefined
  head: string
  /** How many of the next characters of its arguments the client has already; infinite if it has the whole call. */
  kept: number
  hasArguments: boolean
  /** The frames with the call's result. They are sent after the call. */
  after: string
}

/** Sends tool calls one after the other. While one call is being sent, the frames of other calls wait. */
export class CallQueue {
  readonly #ids: MessageIds
  readonly #kept: KeptMessages
  /** The first call is the one being sent. */
  readonly #queue = new Line<Call>()
  readonly #waiting = new Map<string, Call>()

  constructor(ids: MessageIds, kept: KeptMessages) {
    this.#ids = ids
    this.#kept = kept
  }

  start(start: StartedCall): string {
    const before = this.#waiting.has(start.id) ? this.close() : ''
    const call: Call = {
      start,
      text: new GrowingText(),
      end: undefined,
      head: '',
      kept: 0,
      hasArguments: false,
      after: '',
    }
    this.#queue.push(call)
    this.#waiting.set(start.id, call)
    return this.#queue.length === 1 ? before + this.#show(call) : before
  }

  /** Ignores arguments of a call that was never started, since its name is unknown. */
  grow(id: string, delta: string): string {
    if (delta === '') return ''
    const live = this.#queue.first
    if (live?.start.id === id) return this.#arguments(live, delta)
    const call = this.#waiting.get(id)
    if (call?.end === undefined) call?.text.add(delta)
    return ''
  }

  end(end: EndedCall): string {
    const call = this.#waiting.get(end.id)
    if (call === undefined) return ''
    call.end ??= end
    return this.#queue.first === call ? this.#advance() : ''
  }

  /** Returns frames that belong after a call, or keeps them until the call has been sent. */
  after(callId: string, frames: string): string {
    const call = this.#waiting.get(callId)
    if (call === undefined) return frames
    call.after += frames
    return ''
  }

  /** Ends all calls. */
  close(): string {
    let frames = ''
    for (let live = this.#queue.first; live !== undefined; live = this.#queue.first) {
      live.end ??= { id: live.start.id, input: undefined }
      frames += this.#advance()
    }
    return frames
  }

  /** Removes finished calls from the head of the queue, and starts to send the next one. */
  #advance(): string {
    let frames = ''
    for (let live = this.#queue.first; live?.end !== undefined; live = this.#queue.first) {
      frames += this.#finish(live, live.end)
      this.#queue.shift()
      this.#waiting.delete(live.start.id)
      const next = this.#queue.first
      if (next !== undefined) frames += this.#show(next)
    }
    return frames
  }

  #show(call: Call): string {
    const { id: toolCallId, name: toolCallName } = call.start
    call.head = headOf({ type: 'TOOL_CALL_ARGS', toolCallId })
    const start = {
      type: 'TOOL_CALL_START',
      toolCallId,
      toolCallName,
      parentMessageId: this.#ids.parent(),
      ...metadataOf(call.start),
    }
    call.kept = this.#kept.lengthOfCall(toolCallId)
    const started = isWhole(call) ? '' : frameOf(start)
    return started + this.#arguments(call, call.text.toString())
  }

  #arguments(call: Call, delta: string): string {
    if (delta === '') return ''
    call.hasArguments = true
    const rest = restOf(call, delta)
    return rest === '' ? '' : sseData(`${call.head}${JSON.stringify(rest)}}`)
  }

  #finish(call: Call, end: EndedCall): string {
    const { id: toolCallId } = call.start
    const facts = end.providerMetadata ? end : call.start
    const ended = { type: 'TOOL_CALL_END', toolCallId, ...metadataOf(end) }
    return (
      (call.hasArguments ? '' : this.#arguments(call, textOf(end.input))) +
      (isWhole(call) ? '' : frameOf(ended)) +
      encryptedValue('tool-call', toolCallId, facts) +
      call.after
    )
  }
}

/** Whether the client has the whole call. */
function isWhole({ kept }: Call): boolean {
  return kept === Number.POSITIVE_INFINITY
}

/** Marks a call that the client must not answer. Some providers report this only at the call's end. */
function metadataOf({ providerExecuted }: Pick<StartedCall, 'providerExecuted'>): object {
  return providerExecuted ? { metadata: { providerExecuted } } : {}
}

/** Returns the arguments of a call that arrived as a value instead of as text. */
function textOf(input: unknown): string {
  if (typeof input === 'string') return input
  return input === undefined ? '' : JSON.stringify(input)
}
