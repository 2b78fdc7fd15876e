import { collected, framesOf, ServerProcess, type StoredEvent } from './server-process.ts'
import type { OnInterrupt, ToolFolder } from './tool-folder.ts'

/** What a kill of a server came to whose tools write. */
export interface ToolRound {
  /** Lines that tools wrote. */
  readonly lines: number
  /** Calls of which the storage says that they began. */
  readonly records: number
  /** Of these, the ones whose outcome is told as not known. */
  readonly unknown: number
  /** Lines without a record. */
  readonly lost: number
  /** Calls with more than one line. */
  readonly doubled: number
  /** Records without an end, ends that are wrong, and calls that the next request did not hold. */
  readonly faults: readonly string[]
}

interface Began {
  readonly conversationId: string
  readonly runId: string
}

/** A run's own events of its calls. */
type CallEvent = StoredEvent & {
  readonly callId?: string
  readonly name?: string
  readonly state?: string
  readonly error?: { readonly class?: string }
}

interface Kill {
  readonly runs: number
  /** After how many frames that its clients have read. */
  readonly frames: number
  /** What becomes of its runs; the default is `end`. */
  readonly onInterrupt?: OnInterrupt
}

/** Kills a server once its clients have read so many frames, starts it anew, and compares lines, records and the next requests. */
export async function toolRound(
  folder: ToolFolder,
  { runs, frames, onInterrupt = 'end' }: Kill,
): Promise<ToolRound> {
  await folder.clear()
  await folder.onInterrupt(onInterrupt)
  const server = await ServerProcess.start(folder.folder)
  const began: Began[] = []
  let left = frames
  let enough: () => void = () => undefined
  const isEnough = new Promise<void>((resolve) => {
    enough = resolve
  })
  const onFrame = () => {
    if (--left === 0) enough()
  }
  const ids = Array.from({ length: runs }, (_, at) => `c${at}-${stamp()}`)
  const clients = ids.map((id) => work(server, { id, began, onFrame }))
  await Promise.race([isEnough, Promise.all(clients)])
  await server.kill()
  await Promise.all(clients)
  const next = await ServerProcess.start(folder.folder)
  try {
    return await inspect(next, folder, { began: await allBegun(next, ids, began), onInterrupt })
  } finally {
    await next.kill()
  }
}

/** The runs that began, with those of which their client had not heard when the server was killed. */
async function allBegun(
  server: ServerProcess,
  ids: readonly string[],
  began: readonly Began[],
): Promise<readonly Began[]> {
  const all = [...began]
  for (const conversationId of ids) {
    if (began.some((one) => one.conversationId === conversationId)) continue
    const shown = await server.conversation(conversationId).catch((error: Error) => {
      // The request was not stored before the kill.
      if (error.message.includes('status 404')) return undefined
      throw error
    })
    if (shown?.lastRun) all.push({ conversationId, runId: shown.lastRun.id })
  }
  return all
}

let count = 0
const stamp = () => `${process.pid}-${Date.now()}-${count++}`

interface Client {
  readonly id: string
  /** The runs that have begun. */
  readonly began: Began[]
  readonly onFrame: () => void
}

async function work(server: ServerProcess, { id, began, onFrame }: Client): Promise<void> {
  try {
    const response = await server.post('/api/chat', messageOf(id, 'work'))
    began.push({ conversationId: id, runId: response.headers.get('x-run-id') ?? '' })
    for await (const _ of framesOf(response)) onFrame()
  } catch {
    // The connection broke: that is what happens here.
  }
}

function messageOf(id: string, text: string) {
  const messages = [{ id: `m-${stamp()}`, role: 'user', parts: [{ type: 'text', text }] }]
  return { id, messages, trigger: 'submit-message' }
}

async function inspect(
  server: ServerProcess,
  folder: ToolFolder,
  { began, onInterrupt }: { readonly began: readonly Began[]; readonly onInterrupt: OnInterrupt },
): Promise<ToolRound> {
  const ended = await endOf(began, server)
  const lines = await folder.lines()
  const written = new Set(lines)
  const faults: string[] = []
  const recorded = new Set<string>()
  let unknown = 0
  for (const { runId, conversationId, events } of ended) {
    const end = events.at(-1)?.type
    if (onInterrupt === 'resume' && end !== 'finish') faults.push(`${runId} ended with ${end}`)
    const calls = callsOf(events)
    for (const { callId, name, end } of calls) {
      const key = `${runId} ${callId}`
      recorded.add(key)
      if (end?.error?.class === 'outcome_unknown') unknown++
      const fault = faultOf(name, written.has(key), end)
      if (fault !== undefined) faults.push(`${key}: ${fault}`)
    }
    await askAgain(server, conversationId)
    const held = [...(await folder.asked())].find(([id]) => id.includes(conversationId))?.[1] ?? []
    const missing = calls.filter(({ callId }) => !held.includes(callId))
    for (const { callId } of missing) faults.push(`${runId} ${callId}: the next request lacks it`)
  }
  return {
    lines: lines.length,
    records: recorded.size,
    unknown,
    lost: lines.filter((line) => !recorded.has(line)).length,
    doubled: lines.length - written.size,
    faults,
  }
}

type Ended = Began & { readonly events: readonly CallEvent[] }

/** The runs once they have ended, with all their events. */
async function endOf(began: readonly Began[], server: ServerProcess): Promise<readonly Ended[]> {
  const ended: Ended[] = []
  for (const run of began) {
    const events = (await collected(server.events(run.runId))) as readonly CallEvent[]
    ended.push({ ...run, events })
  }
  return ended
}

function callsOf(events: readonly CallEvent[]) {
  const ends = new Map(
    events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [[event.callId ?? '', event] as const] : [],
    ),
  )
  return events
    .filter(({ type }) => type === 'tool-execution-start')
    .map(({ callId = '', name = '' }) => ({ callId, name, end: ends.get(callId) }))
}

/** What a record says wrongly about its call. */
function faultOf(name: string, isWritten: boolean, end: CallEvent | undefined): string | undefined {
  if (!end) return 'it began, and has no end'
  const errorClass = end.error?.class
  if (name !== 'write') return errorClass === 'outcome_unknown' ? 'it only reads' : undefined
  if (end.state === 'succeeded') return isWritten ? undefined : 'it succeeded without a line'
  return errorClass === 'outcome_unknown' ? undefined : `it ended as ${end.state}, ${errorClass}`
}

async function askAgain(server: ServerProcess, conversationId: string): Promise<void> {
  const response = await server.post('/api/chat', messageOf(conversationId, 'And now?'))
  for await (const _ of framesOf(response));
}
