import type { Entry, Storage, StoredRun } from '@braidwork/agent'
import type { ConversationStorage } from '@braidwork/agent/internal'
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
import { isAnswer, messagesOf } from './path.ts'

/** What stands of an answer that goes on, before the present leg of the run that writes it. */
export interface AnswerBefore {
  readonly run: StoredRun
  /** What earlier runs said, and the client's results that they ended for. */
  readonly messages: readonly Message[]
  /** Of earlier runs and earlier legs. */
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
  return {
    run,
    messages: messagesOf(before.filter(({ runId }) => runId !== id)).map(({ message }) => message),
    usage: messagesOf(before).reduce(
      (sum, { message }) => addUsage(sum, message.metadata?.usage ?? {}),
      {} as Usage,
    ),
  }
}

/** What was said since somebody else spoke last, read from its end: the rest of the history may be long. */
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

/** The last entry of a run that is over: a conversation may have gone on. */
async function placeOf(
  { id, owner, conversationId = '', status }: StoredRun,
  conversations: ConversationStorage,
): Promise<string | undefined> {
  if (status === 'active' || status === 'suspended') return undefined
  return conversations.lastOf(owner, conversationId, id)
}

/** An encoder whose steps, and the ids that it makes of them, go on where those of earlier runs ended. */
export function numberingOn(encoder: StreamEncoder, { messages }: AnswerBefore): StreamEncoder {
  const steps = messages.filter(({ role }) => role === 'assistant').length
  return {
    encode: (event) =>
      encoder.encode(event.type === 'step-start' ? { ...event, step: event.step + steps } : event),
  }
}

/** One that goes on where the answer stood: its usage too is that of the whole message. */
export function continuing(encoder: StreamEncoder, before: AnswerBefore): StreamEncoder {
  const next = numberingOn(encoder, before)
  return {
    encode: (event) =>
      next.encode(
        event.type === 'finish' ? { ...event, usage: addUsage(before.usage, event.usage) } : event,
      ),
  }
}

/** One that first tells of all that stood; it is given the events of earlier legs too. */
export function replaying(encoder: StreamEncoder, before: AnswerBefore): StreamEncoder {
  const { run } = before
  const next = continuing(encoder, before)
  let isNew = true
  return {
    encode: (event) => {
      const told = isNew ? eventsBefore(before).map((one) => encoder.encode(one)) : []
      isNew = false
      // An earlier leg ended in the middle of the message.
      if (isEnding(event) && event.seq < run.legSeq) return told.join('')
      return told.join('') + next.encode(event)
    },
  }
}

/** One that tells of a run that waits nothing but what it still waits for: the rest was told when it was asked. */
export function askingAgain(encoder: StreamEncoder, awaited: ReadonlySet<string>): StreamEncoder {
  const isTold = (event: RunEvent) =>
    isEnding(event) || (event.type === 'approval-required' && awaited.has(event.approvalId))
  return { encode: (event) => (isTold(event) ? encoder.encode(event) : '') }
}

/** What earlier runs said, as events. */
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
