import type { Entry, Storage, StoredRun } from '@braidwork/agent'
import { type ConversationStorage, shownMessages } from '@braidwork/agent/internal'
import {
  addUsage,
  eventsOf,
  isEnding,
  type Message,
  type RunEvent,
  type RunEventBody,
  type Usage,
} from '@braidwork/plugin'
import type { StreamEncoder } from '../wire/index.ts'
import { isAnswer } from './path.ts'

/** The part of a response that existed before the present leg of its run. */
export interface AnswerBefore {
  readonly run: StoredRun
  /** The messages of earlier runs, and the client's tool results that those runs asked for when they ended. */
  readonly messages: readonly Message[]
  /** The messages of earlier runs and earlier legs. */
  readonly all: readonly Message[]
  /** The usage of `all`. */
  readonly usage: Usage
}

export async function answerBefore(
  run: StoredRun,
  { conversations }: Storage,
): Promise<AnswerBefore> {
  const { id, conversationId, legSeq } = run
  const all = conversationId === undefined ? [] : await answerOf(run, conversations)
  const isBefore = (entry: Entry) => !entry.id.startsWith(`${id}.${legSeq}.`)
  const before = all.filter(isBefore)
  const shown = shownMessages(before).map(({ message }) => message)
  return {
    run,
    messages: shownMessages(before.filter(({ runId }) => runId !== id)).map(
      ({ message }) => message,
    ),
    all: shown,
    usage: shown.reduce((sum, { metadata }) => addUsage(sum, metadata?.usage ?? {}), {} as Usage),
  }
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
  let isNew = true
  return {
    encode: (event) => {
      const told = isNew ? eventsBefore(before).map((one) => encoder.encode(one)) : []
      isNew = false
      // The end of an earlier leg is in the middle of the message, so it is not written.
      if (isEnding(event) && event.seq < run.legSeq) return told.join('')
      return told.join('') + next.encode(event)
    },
  }
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

/** Converts the messages of earlier runs to events. */
function eventsBefore({ messages, run: { id: runId } }: AnswerBefore): readonly RunEvent[] {
  let step = 0
  const bodies = messages.flatMap((message): RunEventBody[] =>
    message.role === 'assistant'
      ? [{ type: 'step-start', step: ++step, requestId: runId }, ...eventsOf(message, `${step}.`)]
      : message.parts.flatMap((part): RunEventBody[] =>
          part.type === 'tool-result'
            ? [{ type: 'tool-execution-end', callId: part.callId, result: part }]
            : [],
        ),
  )
  return bodies.map((body) => ({ ...body, runId, seq: -1 }))
}
