import { childProgressIn } from '@braidwork/agent/internal'
import { type Message, type RunEvent, type ToolResultPart, textOf } from '@braidwork/plugin'
import { defined, publicError, type RunFacts, type StreamEncoder } from '../index.ts'
import { CallQueue } from './call-queue.ts'
import { errorEvent } from './error.ts'
import {
  custom,
  encryptedValue,
  frameOf,
  PROTOCOL_VERSION,
  resultId,
  shownResult,
  usageOf,
  withTimestamp,
} from './events.ts'
import { KeptMessages } from './kept-messages.ts'
import { MessageIds } from './message-ids.ts'
import { OpenTexts } from './open-texts.ts'
import { partFrame } from './part-frame.ts'
import { Subagents } from './subagents.ts'
import { type PendingCall, Waiting } from './waiting.ts'

/** Options for writing an AG-UI stream. */
export interface AgUiStreamOptions {
  /** The client's id for the run. The default is the server's id. */
  readonly clientRunId?: string
  /** Whether the client speaks a version before 1.0, which refuses an outcome with `pendingToolCallIds`. */
  readonly isBefore1?: boolean
  /** The calls of the client's tools that earlier legs of the run left open. The default is none. */
  readonly pending?: readonly PendingCall[]
  /** What the client has already of what it is told again. The default is nothing. */
  readonly kept?: KeptMessages
}

/**
 * Encodes a run as AG-UI events. To the client, a further leg is a new run in which it answered the interrupts, so
 * each leg has its own encoder.
 */
export function agUiEncoder(facts: RunFacts, options: AgUiStreamOptions = {}): StreamEncoder {
  return new AgUiEncoder(facts, options)
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
type Ending = Of<'finish' | 'error' | 'abort'>

class AgUiEncoder implements StreamEncoder {
  readonly #facts: RunFacts
  readonly #isBefore1: boolean
  readonly #run: { readonly threadId: string; readonly runId: string }
  readonly #ids: MessageIds
  readonly #kept: KeptMessages
  readonly #texts: OpenTexts
  readonly #calls: CallQueue
  readonly #subagents = new Subagents()
  readonly #waiting: Waiting
  readonly #known = new Set<string>()
  #state: 'new' | 'begun' | 'ended' = 'new'
  #step: string | undefined
  #saidCount = 0

  constructor(facts: RunFacts, options: AgUiStreamOptions) {
    const { clientRunId = facts.runId, isBefore1 = false, pending = [] } = options
    this.#kept = options.kept ?? new KeptMessages()
    this.#waiting = new Waiting(facts.clientTools, pending)
    this.#isBefore1 = isBefore1
    this.#facts = facts
    this.#run = { threadId: facts.conversationId ?? facts.runId, runId: clientRunId }
    this.#ids = new MessageIds(facts.messageId)
    this.#texts = new OpenTexts(this.#ids, this.#kept)
    this.#calls = new CallQueue(this.#ids, this.#kept)
  }

  encode(event: RunEvent): string {
    if (this.#state === 'ended') return ''
    const frames = this.#begin() + this.#next(event)
    return event.at === undefined ? frames : withTimestamp(frames, event.at)
  }

  #next(event: RunEvent): string {
    switch (event.type) {
      case 'text-delta':
        return this.#texts.grow('text', event.id, event.delta)
      case 'reasoning-delta':
        return this.#texts.grow('reasoning', event.id, event.delta)
      case 'tool-call-delta':
        return this.#calls.grow(event.id, event.delta)
      default:
        return this.#other(event)
    }
  }

  #begin(): string {
    if (this.#state !== 'new') return ''
    this.#state = 'begun'
    return frameOf({ type: 'RUN_STARTED', ...this.#run, protocolVersion: PROTOCOL_VERSION })
  }

  #other(event: RunEvent): string {
    switch (event.type) {
      case 'text-start':
        return this.#texts.start('text', event.id, event)
      case 'reasoning-start':
        return this.#texts.start('reasoning', event.id, event)
      case 'text-end':
        return this.#texts.end('text', event.id, event)
      case 'reasoning-end':
        return this.#texts.end('reasoning', event.id, event)
      case 'tool-call-start':
        return this.#startCall(event)
      case 'tool-call-end':
        this.#waiting.end(event)
        return this.#calls.end(event)
      case 'finish':
      case 'error':
      case 'abort':
        return this.#end(event)
      default:
        return this.#whole(event)
    }
  }

  #whole(event: RunEvent): string {
    switch (event.type) {
      case 'file':
      case 'source':
      case 'data':
        return partFrame(event)
      case 'tool-result':
        return this.#stray(event) + this.#result(event)
      case 'tool-execution-progress':
        return this.#progress(event)
      case 'tool-execution-end':
        return this.#subagents.close(event) + this.#result(event.result)
      case 'approval-required':
        this.#waiting.ask(event)
        return ''
      case 'approval-resolved':
        this.#waiting.resolve(event)
        return ''
      default:
        return this.#edge(event)
    }
  }

  #edge(event: RunEvent): string {
    if (event.type === 'step-start') return this.#startStep(event.step)
    if (event.type === 'step-finish') return this.#close()
    if (event.type === 'steering') return this.#close() + this.#said(event.message)
    if (event.type !== 'step-reset') return ''
    return this.#close() + custom('step-reset', { step: event.step })
  }

  /** Shows what the user said to the run, in its place. */
  #said(message: Message): string {
    const messageId = message.id ?? `${this.#facts.messageId}.said-${++this.#saidCount}`
    if (this.#kept.has(messageId)) return ''
    const start = frameOf({ type: 'TEXT_MESSAGE_START', messageId, role: message.role })
    const delta = textOf(message)
    const content = delta === '' ? '' : frameOf({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
    return start + content + frameOf({ type: 'TEXT_MESSAGE_END', messageId })
  }

  #startStep(step: number): string {
    const ended = this.#endStep()
    this.#ids.beginStep(step)
    this.#step = `step-${step}`
    return ended + frameOf({ type: 'STEP_STARTED', stepName: this.#step })
  }

  /**
   * The step ends here, not with the model's response, because the results of its tool calls belong to the step.
   */
  #endStep(): string {
    const closed = this.#close()
    const stepName = this.#step
    if (stepName === undefined) return closed
    this.#step = undefined
    return closed + frameOf({ type: 'STEP_FINISHED', stepName })
  }

  #close(): string {
    return this.#texts.close() + this.#calls.close()
  }

  #startCall(call: Of<'tool-call-start'>): string {
    this.#known.add(call.id)
    this.#waiting.start(call)
    return this.#calls.start(call)
  }

  /**
   * A provider may send a result for a call of an earlier run. Clients accept no result without its call, so the
   * call is sent first.
   */
  #stray({ callId: id, name, providerExecuted }: ToolResultPart): string {
    if (this.#known.has(id)) return ''
    this.#known.add(id)
    const call = { id, name, ...defined({ providerExecuted }) }
    return this.#calls.start(call) + this.#calls.end({ id, input: {} })
  }

  #result(result: ToolResultPart): string {
    const { callId } = result
    const messageId = resultId(this.#facts.messageId, result)
    const frame = { type: 'TOOL_CALL_RESULT', messageId, ...shownResult(result) }
    const frames = frameOf(frame) + encryptedValue('message', messageId, result)
    this.#waiting.answer(callId)
    return this.#kept.hasResult(callId) ? '' : this.#calls.after(callId, frames)
  }

  /** Sends progress as an activity message, where clients show it. Each snapshot replaces the previous one. */
  #progress(event: Of<'tool-execution-progress'>): string {
    const { callId: toolCallId, progress } = event
    const child = childProgressIn(event)
    const told = child ? this.#subagents.tell(toolCallId, child) : ''
    const messageId = `${this.#facts.messageId}.progress-${toolCallId}`
    const activity = { activityType: 'tool-progress', content: { toolCallId, progress } }
    return told + frameOf({ type: 'ACTIVITY_SNAPSHOT', messageId, ...activity })
  }

  #end(ending: Ending): string {
    const frames = this.#subagents.end() + this.#endStep()
    this.#state = 'ended'
    const calls = ending.type === 'finish' ? this.#waiting.calls() : ''
    return frames + calls + frameOf(this.#endingOf(ending))
  }

  #endingOf(ending: Ending): object {
    if (ending.type === 'error') return errorEvent(publicError(ending.error))
    const event = { type: 'RUN_FINISHED', ...this.#run }
    if (ending.type === 'abort') return { ...event, outcome: { type: 'cancelled' } }
    const { finishReason } = ending
    const usage = usageOf(ending.usage, this.#facts.agent)
    const counted = usage.length > 0 ? { usage } : {}
    const outcome = this.#waiting.outcome(this.#isBefore1)
    return { ...event, ...outcome, ...counted, metadata: { finishReason } }
  }
}
