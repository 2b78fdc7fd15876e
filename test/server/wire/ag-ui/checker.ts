import type { JsonObject } from '@braidwork/plugin'
import { type SseFrame, sseFrames } from '../frames.ts'
import { IllegalFrame, objectOf } from '../illegal-frame.ts'

/** What opens, fills and closes, by the field with its id. */
const SPANS: readonly (readonly [prefix: string, field: string])[] = [
  ['TEXT_MESSAGE', 'messageId'],
  ['REASONING_MESSAGE', 'messageId'],
  ['REASONING', 'messageId'],
  ['TOOL_CALL', 'toolCallId'],
  ['STEP', 'stepName'],
  ['SUBAGENT', 'subagentRunId'],
]
const OPENING = /_(?:START|STARTED)$/
const CLOSING = /_(?:END|FINISHED|ERROR)$/
const FILLING = /_(?:CONTENT|ARGS)$/
/** Events of one alone, and the texts that they cannot do without. */
const SINGLE: { readonly [type: string]: readonly string[] } = {
  RUN_STARTED: ['threadId', 'runId'],
  RUN_FINISHED: ['threadId', 'runId'],
  RUN_ERROR: ['message'],
  TOOL_CALL_RESULT: ['messageId', 'toolCallId', 'content'],
  ACTIVITY_SNAPSHOT: ['messageId', 'activityType'],
  REASONING_ENCRYPTED_VALUE: ['subtype', 'entityId', 'encryptedValue'],
  CUSTOM: ['name'],
}
type Event = JsonObject & { readonly type: string }

/** Reads frames of AG-UI, and throws at the first that a client would fail at. */
export class AgUiChecker {
  /** By kind and id. */
  readonly #open = new Set<string>()
  readonly #subagents = new Set<string>()
  #liveCalls = 0
  #state: 'new' | 'running' | 'ended' = 'new'

  /** @throws {IllegalFrame} */
  check(text: string): void {
    for (const frame of sseFrames(text)) this.#check(eventOf(frame))
  }

  /** @throws {IllegalFrame} where the run is not over */
  end(): void {
    if (this.#state !== 'ended') throw new IllegalFrame('The run has no ending', '')
  }

  #check(event: Event): void {
    const { type } = event
    if (this.#state === 'ended') throw fault(event, 'the run has ended')
    if ((this.#state === 'new') !== (type === 'RUN_STARTED')) {
      throw fault(event, 'a run starts once, before all else')
    }
    if (Object.values(event).includes(null) && type !== 'CUSTOM')
      throw fault(event, 'it has a null')
    const single = Object.hasOwn(SINGLE, type) ? SINGLE[type] : undefined
    if (single) this.#checkSingle(event, single)
    else this.#checkSpan(event)
  }

  #checkSingle(event: Event, texts: readonly string[]): void {
    const missing = texts.find((field) => typeof event[field] !== 'string')
    if (missing !== undefined) throw fault(event, `"${missing}" is no text`)
    if (event.type === 'RUN_STARTED') this.#state = 'running'
    if (!event.type.startsWith('RUN_') || event.type === 'RUN_STARTED') return
    const [open] = this.#open
    if (open !== undefined) throw fault(event, `"${open}" is open`)
    this.#state = 'ended'
  }

  #checkSpan(event: Event): void {
    const { type } = event
    const span = SPANS.find(([prefix]) => type.startsWith(`${prefix}_`) && isStageOf(type, prefix))
    if (span === undefined) throw fault(event, 'no event is called so')
    const [prefix, field] = span
    const id = event[field]
    if (typeof id !== 'string') throw fault(event, `"${field}" is no text`)
    const key = `${prefix}:${id}`
    if (OPENING.test(type)) this.#begin(event, key)
    else if (!this.#open.has(key)) throw fault(event, `"${key}" is not open`)
    else if (FILLING.test(type)) checkDelta(event)
    else this.#finish(event, key)
  }

  #begin(event: Event, key: string): void {
    if (this.#open.has(key)) throw fault(event, `"${key}" is open`)
    if (event.type === 'TOOL_CALL_START') {
      if (typeof event['toolCallName'] !== 'string') throw fault(event, 'it has no name')
      if (this.#liveCalls++ > 0) throw fault(event, 'another call is open')
    }
    if (event.type === 'SUBAGENT_STARTED') this.#beginSubagent(event)
    this.#open.add(key)
  }

  #beginSubagent(event: Event): void {
    const { subagentRunId: id, parentSubagentRunId: parent, name } = event
    if (typeof name !== 'string') throw fault(event, 'it has no name')
    if (this.#subagents.has(String(id))) throw fault(event, 'its id is used')
    if (parent !== undefined && !this.#subagents.has(String(parent))) {
      throw fault(event, 'its parent has not started')
    }
    this.#subagents.add(String(id))
  }

  #finish(event: Event, key: string): void {
    if (event.type === 'TOOL_CALL_END') this.#liveCalls--
    if (event.type === 'STEP_FINISHED' && this.#open.size > 1) throw fault(event, 'a part is open')
    this.#open.delete(key)
  }
}

function isStageOf(type: string, prefix: string): boolean {
  const stage = type.slice(prefix.length)
  return [OPENING, CLOSING, FILLING].some((pattern) => pattern.exec(stage)?.[0] === stage)
}

function checkDelta(event: Event): void {
  const { delta } = event
  if (typeof delta !== 'string' || delta === '')
    throw fault(event, 'its delta is no text, or empty')
}

function eventOf(frame: SseFrame): Event {
  const event = objectOf(frame)
  const { type } = event
  if (typeof type === 'string') return { ...event, type }
  throw new IllegalFrame('The event has no type', frame.data)
}

function fault(event: Event, reason: string): IllegalFrame {
  return new IllegalFrame(`The event is not allowed here, ${reason}`, JSON.stringify(event))
}
