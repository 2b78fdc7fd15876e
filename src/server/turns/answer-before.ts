import type { Entry, Storage, StoredRun } from '@braidwork/agent'
import { type ConversationStorage, shownMessages, untoldUsage } from '@braidwork/agent/internal'
import {
  addUsage,
  eventsOf,
  isEnding,
  type Message,
  type RunEvent,
  type RunEventBody,
  type ToolResultPart,
  type Usage,
} from '@braidwork/plugin'
import { resultsIn } from '../unanswered.ts'
import type { StreamEncoder } from '../wire/index.ts'
import { isAnswer } from './path.ts'

/** The part of a response that existed before the present leg of its run. */
export interface AnswerBefore {
  readonly run: StoredRun
  /** The messages of earlier runs, and the client's tool results that those runs asked for when they ended. */
  readonly messages: readonly Message[]
  /** The client's tool results for calls of this run, which came while it waited for a person. */
  readonly given: readonly ToolResultPart[]
  /** The messages of earlier runs and earlier legs. */
  readonly all: readonly Message[]
  /** The usage of earlier runs and earlier legs. */
  readonly usage: Usage
}

export async function answerBefore(run: StoredRun, storage: Storage): Promise<AnswerBefore> {
  const { conversations } = storage
  const { id, conversationId, legSeq } = run
  const all = conversationId === undefined ? [] : await answerOf(run, conversations)
  const isBefore = (entry: Entry) => !entry.id.startsWith(`${id}.${legSeq}.`)
  const before = all.filter(isBefore)
  const shown = messagesIn(before)
  const untold = await untoldUsage(run, storage)
  const first = all.findIndex(({ runId }) => runId === id)
  const own = first < 0 ? [] : all.slice(first)
  return {
    run,
    messages: messagesIn(before.filter((entry) => !own.includes(entry))),
    given: resultsIn(messagesIn(own.filter(({ runId }) => runId !== id))),
    all: shown,
    usage: shown.reduce((sum, { metadata }) => addUsage(sum, metadata?.usage ?? {}), untold),
  }
}

function messagesIn(entries: readonly Entry[]): readonly Message[] {
  return shownMessages(entries).map(({ message }) => message)
}

/** Reads the entries since the last user message, starting from the end because the history may be long. */
async function answerOf(
  run: StoredRun,
  conversations: ConversationStorage,
): Promise<readonly Entry[]> {
  const { owner, conversationId = '' } = run
  const entries: Entry[] = []
  for await (const entry of conversations.above(
    owner,
    conversationId,
    await placeOf(run, conversations),
  )) {
    if (entry.kind === 'message' && !isAnswer(entry.message)) break
    entries.push(entry)
  }
  return entries.reverse()
}

/**
 * Returns the last entry of a run that has ended, since the conversation may have continued. Returns undefined for
 * a run that has not.
 */
async function placeOf(
  { id, owner, conversationId = '', status }: StoredRun,
  conversations: ConversationStorage,
): Promise<string | undefined> {
  if (status === 'active' || status === 'suspended') return undefined
  return conversations.lastOf(owner, conversationId, id)
}

/** Wraps an encoder so that step numbers, and the ids made from them, continue those of earlier runs. */
export function numberingOn(encoder: StreamEncoder, { messages }: AnswerBefore): StreamEncoder {
  const steps = messages.filter(({ role }) => role === 'assistant').length
  return {
    encode: (event) =>
      encoder.encode(event.type === 'step-start' ? { ...event, step: event.step + steps } : event),
  }
}

/**
 * Wraps an encoder so that it continues the existing part of the response: the final messages and their usage are
 * those of the whole response.
 */
export function continuing(encoder: StreamEncoder, before: AnswerBefore): StreamEncoder {
  const next = numberingOn(encoder, before)
  return {
    encode: (event) => next.encode(event.type === 'finish' ? finishOf(event, before) : event),
  }
}

type Finish = Extract<RunEvent, { readonly type: 'finish' }>

function finishOf(event: Finish, { all, usage }: AnswerBefore): Finish {
  return {
    ...event,
    usage: addUsage(usage, event.usage),
    messages: [...all, ...event.messages],
  }
}

/**
 * Wraps an encoder so that it first writes the existing part of the response. The encoder also receives the events
 * of earlier legs.
 */
export function replaying(encoder: StreamEncoder, before: AnswerBefore): StreamEncoder {
  const { run } = before
  const next = continuing(encoder, before)
  const called = new Set<string>()
  let isNew = true
  return {
    encode: (event) => {
      if (event.type === 'tool-call-end') called.add(event.id)
      const told = isNew ? eventsBefore(before) : []
      isNew = false
      const given = isEnding(event) ? givenTo(called, before) : []
      const text = [...told, ...given].map((one) => encoder.encode(one)).join('')
      // The end of an earlier leg is in the middle of the message, so it is not written.
      return isEnding(event) && event.seq < run.legSeq ? text : text + next.encode(event)
    },
  }
}

/** The results that the client gave to calls of a leg, which its own events do not have. Each is told once. */
function givenTo(called: Set<string>, { given, run }: AnswerBefore): readonly RunEvent[] {
  const results = given.filter(({ callId }) => called.delete(callId))
  return results.map((result) => eventOf(resultEvent(result), run))
}

/**
 * Wraps an encoder so that it writes only the approvals for which a waiting run still needs an answer. The client
 * received everything else before.
 */
export function askingAgain(encoder: StreamEncoder, awaited: ReadonlySet<string>): StreamEncoder {
  const isTold = (event: RunEvent) =>
    isEnding(event) || (event.type === 'approval-required' && awaited.has(event.approvalId))
  return { encode: (event) => (isTold(event) ? encoder.encode(event) : '') }
}

/**
 * Wraps an encoder for a response that the client shows as a message of its own: a result of a call of an earlier leg
 * comes after its call.
 */
export function introducing(encoder: StreamEncoder, { all, run }: AnswerBefore): StreamEncoder {
  const calls = new Map(
    all.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part] as const] : [])),
    ),
  )
  return {
    encode: (event) => {
      if (event.type === 'tool-execution-start') calls.delete(event.callId)
      const call = event.type === 'tool-execution-end' ? calls.get(event.callId) : undefined
      if (!call) return encoder.encode(event)
      const { callId, name, input } = call
      calls.delete(callId)
      const start = eventOf({ type: 'tool-execution-start', callId, name, input }, run)
      return encoder.encode(start) + encoder.encode(event)
    },
  }
}

/** Converts the messages of earlier runs to events. */
function eventsBefore({ messages, run }: AnswerBefore): readonly RunEvent[] {
  const { id: runId } = run
  let step = 0
  const bodies = messages.flatMap((message): RunEventBody[] =>
    message.role === 'assistant'
      ? [{ type: 'step-start', step: ++step, requestId: runId }, ...eventsOf(message, `${step}.`)]
      : message.parts.flatMap((part) => (part.type === 'tool-result' ? [resultEvent(part)] : [])),
  )
  return bodies.map((body) => eventOf(body, run))
}

function resultEvent(result: ToolResultPart): RunEventBody {
  return { type: 'tool-execution-end', callId: result.callId, result }
}

function eventOf(body: RunEventBody, { id: runId }: StoredRun): RunEvent {
  return { ...body, runId, seq: -1 }
}
