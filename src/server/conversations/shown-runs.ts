import type { Storage, StoredRun } from '@braidwork/agent'
import { type RunStatus, UNREAD } from '@braidwork/agent/internal'
import type { Services } from '../context.ts'
import { publicError } from '../wire/index.ts'

/** Why a run failed, as its stream told it. */
interface ShownReason {
  readonly code: string
  readonly message: string
}

/** A run as a chat page sees it: its id and status. */
export interface ShownRun {
  readonly id: string
  readonly status: RunStatus
  /** Whether the server stopped it, because nobody read it any more. */
  readonly isUnread?: true
  readonly error?: ShownReason
}

/** The state of a conversation's runs. */
export interface ShownRuns {
  /** The run that is active or waits for approvals. */
  readonly run?: ShownRun
  /** The newest run, in any state. It tells a page that a response was stopped or interrupted. */
  readonly lastRun?: ShownRun
}

/** An answer whose run did not end as it should. */
export interface ShownEnding {
  readonly messageId: string
  readonly status: RunStatus
  readonly error?: ShownReason
}

/** A message as it was written, and the run that it names. */
export interface WrittenMessage {
  readonly id: string
  readonly runId: unknown
}

/** The statuses of runs whose answers may not be whole. */
const EARLY: ReadonlySet<RunStatus> = new Set(['failed', 'aborted', 'interrupted'])
/** The statuses of runs whose events tell an error. */
const FAILED: ReadonlySet<RunStatus> = new Set(['failed', 'interrupted'])
/** Of so many answers, the last ones, the reasons are read. */
const MOST_REASONS = 50

type Parts = Pick<Services, 'storage' | 'runs'>

/** The run that is open, and the newest one. */
export async function shownRunsOf(
  runs: readonly StoredRun[],
  open: StoredRun | undefined,
  parts: Parts,
): Promise<ShownRuns> {
  return {
    ...(open ? { run: shownRun(open) } : {}),
    ...(runs[0] ? { lastRun: await endedRun(runs[0], parts) } : {}),
  }
}

/** The answers of which the runs did not end as they should. */
export async function endingsOf(
  shown: readonly WrittenMessage[],
  runs: readonly StoredRun[],
  parts: Parts,
): Promise<readonly ShownEnding[]> {
  const known = new Map<unknown, StoredRun>(runs.map((run) => [run.id, run]))
  const early = shown.flatMap(({ id, runId }) => {
    const run = known.get(runId)
    return run && EARLY.has(run.status) ? [{ id, run }] : []
  })
  const endings: ShownEnding[] = []
  for (const [at, { id: messageId, run }] of early.entries()) {
    const isRead = at >= early.length - MOST_REASONS
    const reason = isRead ? await reasonOf(run, parts) : {}
    endings.push({ messageId, status: run.status, ...reason })
  }
  return endings
}

async function endedRun(run: StoredRun, parts: Parts): Promise<ShownRun> {
  const shown = { ...shownRun(run), ...(await reasonOf(run, parts)) }
  return (await isUnread(run, parts.storage)) ? { ...shown, isUnread: true } : shown
}

async function isUnread(run: StoredRun, { runs }: Storage): Promise<boolean> {
  if (run.status !== 'aborted') return false
  const ending = await runs.lastEvent(run.owner, run.id, 'abort')
  return ending?.type === 'abort' && ending.reason === UNREAD
}

async function reasonOf(
  run: StoredRun,
  { storage, runs }: Parts,
): Promise<{ readonly error?: ShownReason }> {
  if (!FAILED.has(run.status)) return {}
  const ending = await storage.runs.lastEvent(run.owner, run.id, 'error')
  if (ending?.type !== 'error') return {}
  const { code, message } = publicError(runs.shownErrors.of(run).mark(ending.error))
  return { error: { code, message } }
}

function shownRun({ id, status }: StoredRun): ShownRun {
  return { id, status }
}
