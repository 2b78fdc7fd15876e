import { type ChildProgress, childProgressIn } from '@braidwork/agent/internal'
import { isEnding, type RunEvent, type ToolResultPart } from '@braidwork/plugin'
import {
  defined,
  outputOf,
  outputTextOf,
  publicError,
  type RunFacts,
  type StreamEncoder,
  sseData,
} from '../index.ts'
import { Approvals } from './approvals.ts'
import { DONE, frameOf, resultMetadataOf, type SdkVersion } from './chunks.ts'
import { errorChunk } from './error.ts'
import { OpenParts } from './open-parts.ts'
import { argumentsOfAsking, questionPart } from './questions.ts'
import { Said } from './steering.ts'
import { StepCalls } from './step-calls.ts'
import { finishMetadata, isShown, startMetadata, uiAnswerFile, uiSource } from './ui-parts.ts'

/** Options for writing a UI message stream. */
export interface UiMessageStreamOptions {
  /** The major version of the client's AI SDK. Without it, only chunks that all versions accept are written. */
  readonly sdk?: SdkVersion
  /** The calls of an earlier part of the message that the client has yet to answer. */
  readonly pending?: readonly string[]
}

/** Whether the client can discard the content of a step. AW-26 */
export function canResetStep({ sdk }: UiMessageStreamOptions): boolean {
  return sdk === 7
}

/**
 * Encodes a run as one UI message. A leg of the run after an approval continues the message. If a response has both
 * legs, one encoder writes them, and leaves out the ending and the start between them. Otherwise each leg has its own.
 */
export function uiMessageEncoder(
  facts: RunFacts,
  options: UiMessageStreamOptions = {},
): StreamEncoder {
  return new UiMessageEncoder(facts, options)
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

class UiMessageEncoder implements StreamEncoder {
  readonly #facts: RunFacts
  readonly #options: UiMessageStreamOptions
  readonly #sdk: number
  readonly #parts: OpenParts
  readonly #calls: StepCalls
  readonly #approvals: Approvals
  readonly #said = new Said()
  #state: 'new' | 'begun' | 'in-step' | 'ended' = 'new'
  #step = 0
  #sources = 0

  constructor(facts: RunFacts, options: UiMessageStreamOptions) {
    this.#facts = facts
    this.#options = options
    this.#sdk = options.sdk ?? 5
    this.#parts = new OpenParts(facts.clientTools, this.#sdk)
    this.#approvals = new Approvals(this.#sdk)
    this.#calls = new StepCalls(options.pending ?? [])
  }

  encode(event: RunEvent): string {
    if (this.#state === 'ended') return ''
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        return this.#begin() + this.#parts.grow(event)
      case 'text-start':
      case 'reasoning-start':
        return this.#begin() + this.#parts.start(event)
      case 'tool-call-start':
        this.#calls.know({ ...event, callId: event.id })
        return this.#begin() + this.#parts.start(event)
      case 'text-end':
      case 'reasoning-end':
      case 'tool-call-end':
        return this.#begin() + this.#parts.end(event)
      default:
        return this.#begin() + this.#whole(event)
    }
  }

  #whole(event: RunEvent): string {
    switch (event.type) {
      case 'file':
        return isShown(event.url) ? frameOf(uiAnswerFile(event)) : ''
      case 'source':
        return frameOf(uiSource(event, `source-${this.#step}.${++this.#sources}`))
      case 'data':
        return dataFrame(event)
      case 'steering':
        return this.#said.add(event)
      case 'tool-result':
        return this.#closed(event) + this.#providerResult(event)
      case 'tool-execution-start':
      case 'tool-execution-progress':
      case 'tool-execution-end':
        return this.#closed(event) + this.#execution(event)
      case 'approval-required':
        return this.#closed(event) + this.#ask(event)
      case 'approval-resolved':
        return this.#closed(event) + this.#approvals.resolve(event)
      default:
        return isEnding(event) ? this.#end(event) : this.#edge(event)
    }
  }

  #begin(): string {
    if (this.#state !== 'new') return ''
    this.#state = 'begun'
    const messageMetadata = startMetadata(this.#facts)
    return frameOf({ type: 'start', messageId: this.#facts.messageId, messageMetadata })
  }

  #edge(event: RunEvent): string {
    if (event.type === 'step-start') return this.#startStep(event.step)
    if (event.type === 'step-finish') return this.#parts.close()
    if (event.type !== 'step-reset') return ''
    this.#sources = 0
    if (!canResetStep(this.#options) || this.#state !== 'in-step') return this.#parts.close()
    this.#parts.beginStep(this.#step)
    this.#calls.reset()
    return frameOf({ type: 'reset-step' }) + this.#said.again()
  }

  #startStep(step: number): string {
    const ended = this.#endStep()
    this.#state = 'in-step'
    this.#step = step
    this.#sources = 0
    this.#calls.beginStep()
    this.#said.beginStep()
    this.#parts.beginStep(step)
    return `${ended}${frameOf({ type: 'start-step' })}`
  }

  /**
   * The step ends here, not with the model's response, because the results of its tool calls belong to the step.
   */
  #endStep(): string {
    const closed = this.#parts.close()
    if (this.#state !== 'in-step') return closed
    this.#state = 'begun'
    return `${closed}${frameOf({ type: 'finish-step' })}`
  }

  #end(ending: Of<'finish' | 'error' | 'abort'>): string {
    const frames =
      this.#endStep() + this.#calls.after(ending, this.#facts) + frameOf(this.#endingOf(ending))
    this.#state = 'ended'
    return frames + sseData(DONE)
  }

  #endingOf(ending: Of<'finish' | 'error' | 'abort'>): object {
    if (ending.type === 'abort') return { type: 'abort' }
    if (ending.type === 'error') return errorChunk(publicError(ending.error))
    const { finishReason } = ending
    const messageMetadata = finishMetadata(ending)
    const told = this.#options.sdk === undefined ? {} : { finishReason }
    return { type: 'finish', ...told, messageMetadata }
  }

  /** Ends an open call before anything else about it is sent. */
  #closed({ callId }: { readonly callId: string }): string {
    return this.#parts.closeCall(callId)
  }

  /** Sends a call of an earlier leg or run that the client may not know. */
  #introduce(call: { callId: string; name: string; input: unknown; providerExecuted?: boolean }) {
    if (this.#calls.has(call.callId)) return ''
    this.#calls.know(call)
    return this.#parts.available({ ...call, id: call.callId })
  }

  /** Sends what a call waits for. A call that asks in the middle is open again, whatever progress was shown of it. */
  #ask(event: Of<'approval-required'>): string {
    const input = argumentsOfAsking(event)
    if (input === undefined) return this.#introduce(event) + this.#approvals.ask(event)
    this.#calls.know(event)
    const { callId: id, name } = event
    return this.#parts.available({ id, name, input }) + frameOf(questionPart(event))
  }

  #providerResult(result: ToolResultPart): string {
    const { callId, name, providerExecuted } = result
    const call = { callId, name, input: {}, ...defined({ providerExecuted }) }
    return this.#introduce(call) + this.#resultFrame(result)
  }

  #execution(
    event: Of<'tool-execution-start' | 'tool-execution-progress' | 'tool-execution-end'>,
  ): string {
    const { callId: toolCallId } = event
    if (event.type === 'tool-execution-start') return this.#introduce(event)
    if (event.type === 'tool-execution-end') return this.#resultFrame(event.result)
    const child = childProgressIn(event)
    if (child) return childFrame(event.callId, child)
    const output = event.progress ?? null
    const type = 'tool-output-available'
    return frameOf({ type, toolCallId, output, dynamic: true, preliminary: true })
  }

  #resultFrame(result: ToolResultPart): string {
    const { callId: toolCallId, name, isError, providerExecuted } = result
    this.#calls.end(result)
    if (this.#approvals.isDenied(toolCallId))
      return frameOf({ type: 'tool-output-denied', toolCallId })
    const facts = {
      ...defined({ providerExecuted }),
      ...(this.#facts.clientTools.has(name) ? {} : { dynamic: true }),
      ...(this.#sdk > 5 ? resultMetadataOf(result) : {}),
    }
    return isError
      ? frameOf({
          type: 'tool-output-error',
          toolCallId,
          errorText: outputTextOf(result),
          ...facts,
        })
      : frameOf({
          type: 'tool-output-available',
          toolCallId,
          output: outputOf(result) ?? null,
          ...facts,
        })
  }
}

/** What a child run does, for `onData` of a client: it is no part of the message. */
function childFrame(callId: string, child: ChildProgress): string {
  const data = { callId, ...child }
  return frameOf({ type: 'data-subagent', id: child.runId, data, transient: true })
}

function dataFrame({ name, data, id, transient }: Of<'data'>): string {
  return frameOf({ type: `data-${name}`, ...defined({ id }), data, ...defined({ transient }) })
}
