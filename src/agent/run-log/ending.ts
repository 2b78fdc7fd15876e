import { Accumulator, addUsage, type Message, type RunEvent, type Usage } from '@braidwork/plugin'
import { isEmpty } from '../run-endings.ts'
import type { RunResult } from '../run-result.ts'
import { openCalls, settleCalls } from '../settle-calls.ts'
import type { NewEntry, RunStatus, StoredRun } from '../storage/index.ts'

/** The text given to the model in place of a tool result, by the status with which the run ended. */
const NO_RESULT: { readonly [S in RunStatus]?: string } = {
  failed: 'The run failed before the call had a result.',
  aborted: 'The run was stopped before the call had a result.',
  interrupted: 'The run was interrupted before the call ran.',
}

/** The status of a run that ended on its own, neither stopped nor taken over by another process. */
export function statusOf({ status, suspension }: RunResult): Exclude<RunStatus, 'active'> {
  // A run that is stopped after it asked for approvals waits no more.
  return status === 'done' && suspension ? 'suspended' : status
}

/**
 * Returns the entries that a leg of a run adds to its conversation. Empty messages are left out. Each call that
 * will never have a result gets an error result that says why. CT-13
 */
export function entriesOf(
  run: StoredRun,
  messages: readonly Message[],
  status: RunStatus,
): readonly NewEntry[] {
  const reason = NO_RESULT[status]
  const kept = messages.filter((message) => !isEmpty([message]))
  const settled = reason === undefined ? undefined : settleCalls(openCalls(kept), reason)
  const all = settled ? [...kept, settled] : kept
  const answer = all.find(({ role }) => role === 'assistant')
  return all.map((message, index) => ({
    kind: 'message',
    // The id is the same at every retry, so no entry is stored twice.
    id: `${run.id}.${run.legSeq}.${index}`,
    runId: run.id,
    message: message === answer ? named(message, run) : message,
  }))
}

/** Gives the response the message id that clients were already sent. */
function named(message: Message, { order }: StoredRun): Message {
  const id = order['messageId']
  return typeof id === 'string' ? { ...message, id } : message
}

/**
 * The messages of a leg, with what it used beside its own answers, such as in child runs and for an empty answer, which
 * no history keeps. The last results have it, or without results the last answer, so that the sum over the messages is
 * what the leg used. A leg without messages leaves it to the next one: see `untoldUsage`.
 * @param untold what the total has and no event tells, such as the usage of an answer that was stopped before its text
 */
export function withOtherUsage(
  messages: readonly Message[],
  total: Usage,
  untold: Usage = {},
): readonly Message[] {
  const kept = messages.filter((one) => !isEmpty([one]))
  const own = kept.reduce((sum, one) => addUsage(sum, one.metadata?.usage ?? {}), untold)
  const last =
    kept.findLast(({ role }) => role === 'tool') ??
    kept.findLast(({ role }) => role === 'assistant')
  const { usage = {} } = last?.metadata ?? {}
  const { raw: _, ...counts } = total
  const others = Object.entries(counts).flatMap(([name, count]) => {
    const key = name as keyof typeof counts
    const rest = count - (own[key] ?? 0)
    return rest > 0 ? [[key, (usage[key] ?? 0) + rest] as const] : []
  })
  if (!last || others.length === 0) return messages
  const metadata = { ...last.metadata, usage: { ...usage, ...Object.fromEntries(others) } }
  return messages.with(messages.indexOf(last), { ...last, metadata })
}

/** Rebuilds the messages of a leg from its events. */
export function messagesOf(events: readonly RunEvent[]): readonly Message[] {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.messages()
}
