import {
  addUsage,
  type EndingEvent,
  type RunEvent,
  type ToolCallPart,
  type Usage,
} from '@braidwork/plugin'
import type { Environment } from '../environment.ts'
import type { Interruption } from '../interruption.ts'
import type { Approval, Storage, StoredRun } from '../storage/index.ts'
import { untoldUsage } from './earlier-legs.ts'
import { entriesOf, messagesOf, withOtherUsage } from './ending.ts'
import { interruptionOf, usageIn } from './interruptions.ts'
import { endsOfLeftCalls, type LeftStatus } from './left-calls.ts'
import { compactionsIn, markersOf } from './leg-markers.ts'
import { legOf } from './leg-of.ts'
import { askedLast } from './resumption.ts'
import { waitingHistory } from './waiting-history.ts'

/** A run whose process has gone, with where it was interrupted. */
export interface LeftRun {
  readonly run: StoredRun
  readonly interruption: Interruption
}

/** Finds where a run was interrupted whose lease this process has just taken. */
export async function leftRun(run: StoredRun, storage: Storage): Promise<LeftRun> {
  return { run, interruption: await interruptionOf(run, await legOf(run, storage), storage) }
}

/** How to end a run whose process does not end it. */
export interface LeftEnd {
  readonly status: LeftStatus
  readonly ending: EndingEvent
}

/** A leg that this process ended without having worked on it. */
export interface LeftLeg extends Pick<LeftEnd, 'status'> {
  /** The number of the last step that began. */
  readonly steps: number
  readonly usage: Usage
  /** From its first event to its end. */
  readonly seconds: number
}

interface LeftParts {
  readonly storage: Storage
  readonly environment: Environment
  /** The holder of the run's lease, which this process has just taken. */
  readonly holder: string
}

/**
 * Ends a run whose process has gone. What it had stored is kept, and each open call gets an end. Returns undefined if
 * another process has the run. LT-10
 */
export async function endLeftRun(
  run: StoredRun,
  { status, ending }: LeftEnd,
  { storage, environment, holder }: LeftParts,
): Promise<LeftLeg | undefined> {
  const stored = await legOf(run, storage)
  const approvals = run.legSeq === 0 ? [] : await storage.approvals.list(run.owner, run.id)
  const ends = endsOfLeftCalls(stored, status, callsOf(askedLast(approvals)))
  const last = stored.at(-1)
  const first = (last?.seq ?? run.legSeq - 1) + 1
  // LR-14: the process that wrote the events before may have had a clock ahead of this one.
  const at = Math.max(last?.at ?? 0, environment.now())
  const events = [...ends, ending].map(
    (event, index): RunEvent => ({ ...event, runId: run.id, seq: first + index, at }),
  )
  const messages = messagesOf([...stored, ...events])
  const compactions = compactionsIn(stored, (step) => messagesOf(before(step, stored)).length)
  const isPassed = !(await hasPlace(run, approvals, storage))
  const used = addUsage(usageIn(stored), await untoldUsage(run, storage))
  const counted = withOtherUsage(messages, used)
  const said = isPassed ? [] : entriesOf(run, counted, status)
  const markers = await markersOf(run, { messages, compactions }, said, storage)
  const entries = [...said, ...markers]
  const end = { runId: run.id, holder, status, events, entries }
  const isStored = await storage.runs.end(end, environment.now())
  return isStored ? { status, ...measured(stored, at) } : undefined
}

function measured(leg: readonly RunEvent[], endedAt: number): Omit<LeftLeg, 'status'> {
  const last = leg.findLast((event) => event.type === 'step-start')
  const seconds = (endedAt - (leg[0]?.at ?? endedAt)) / 1000
  return { steps: last?.step ?? 0, usage: usageIn(leg), seconds }
}

function before(step: number, leg: readonly RunEvent[]): readonly RunEvent[] {
  const at = leg.findIndex((event) => event.type === 'step-start' && event.step === step)
  return leg.slice(0, Math.max(0, at))
}

/** The calls whose approvals the present leg of a run resumed. */
function callsOf(approvals: readonly Approval[]): readonly ToolCallPart[] {
  return approvals.map(({ callId, tool: name, input }) => ({
    type: 'tool-call',
    callId,
    name,
    input,
  }))
}

/** Whether the results of the calls that waited follow them in the conversation, if the run has one. */
async function hasPlace(
  run: StoredRun,
  approvals: readonly Approval[],
  storage: Storage,
): Promise<boolean> {
  if (run.conversationId === undefined || approvals.length === 0) return true
  return (await waitingHistory(run, approvals, storage)) !== undefined
}
