import type { TreeAgent } from '../../../src/agent/index.ts'
import { collected, framesOf, ServerProcess, type StoredEvent } from './server-process.ts'
import { LINES_OF_TREE, RUNS_OF_TREE, type TreeFolder } from './tree-folder.ts'

/** What a kill of a server came to whose runs have runs below them. */
export interface TreeRound {
  /** Trees that were at work when the server was killed. */
  readonly left: number
  /** Runs below their roots, of all trees. */
  readonly runs: number
  /** Of these, the ones that went on in the next server. */
  readonly resumed: number
  /** Lines that tools wrote. */
  readonly lines: number
  /** Calls whose outcome is told as not known. */
  readonly unknown: number
  /** Lines without a record, and calls that have neither a line nor an end that says so. */
  readonly lost: number
  /** Calls with more than one line, and places of a tree with more than one run. */
  readonly doubled: number
  readonly faults: readonly string[]
}

interface TreeEvent extends StoredEvent {
  readonly callId?: string
  readonly name?: string
  readonly state?: string
  readonly error?: { readonly code: string; readonly class?: string }
}

let count = 0
const stamp = () => `${process.pid}-${Date.now()}-${count++}`

/**
 * Kills a server once the clients of its trees have read so many frames, starts it anew, waits until each tree has ended,
 * and compares lines and records.
 */
export async function treeRound(
  folder: TreeFolder,
  { trees, frames }: { readonly trees: number; readonly frames: number },
): Promise<TreeRound> {
  await folder.clear()
  const server = await ServerProcess.start(folder.folder)
  let left = frames
  let enough: () => void = () => undefined
  const isEnough = new Promise<void>((resolve) => {
    enough = resolve
  })
  const onFrame = () => {
    if (--left === 0) enough()
  }
  const ids = Array.from({ length: trees }, () => stamp())
  const clients = ids.map((id) => work(server, id, onFrame))
  await Promise.race([isEnough, Promise.all(clients)])
  await server.kill()
  await Promise.all(clients)
  const next = await ServerProcess.start(folder.folder)
  try {
    const roots = await Promise.all(ids.map((id) => rootOf(next, id)))
    return await inspect(
      next,
      folder,
      roots.flatMap((root) => root ?? []),
    )
  } finally {
    await next.kill()
  }
}

async function work(server: ServerProcess, id: string, onFrame: () => void): Promise<void> {
  const messages = [{ id: `m-${id}`, role: 'user', parts: [{ type: 'text', text: 'work' }] }]
  try {
    const response = await server.post('/api/chat', { id, messages, agent: 'root' })
    for await (const _ of framesOf(response)) onFrame()
  } catch {
    // The connection broke: that is what happens here.
  }
}

/** The id of the run of a conversation. Undefined if its request was not stored before the kill. */
async function rootOf(server: ServerProcess, id: string): Promise<string | undefined> {
  const shown = await server.conversation(id).catch((error: Error) => {
    if (error.message.includes('status 404')) return undefined
    throw error
  })
  return shown?.lastRun?.id ?? shown?.run?.id
}

/** What was found so far. */
interface Found {
  readonly written: ReadonlySet<string>
  /** The calls that ended, or that began. */
  readonly recorded: Set<string>
  readonly faults: string[]
  left: number
  runs: number
  resumed: number
  unknown: number
  lost: number
  doubled: number
}

async function inspect(
  server: ServerProcess,
  folder: TreeFolder,
  roots: readonly string[],
): Promise<TreeRound> {
  const trees = await Promise.all(roots.map((root) => treeOf(server, root)))
  const lines = await folder.lines()
  const written = new Set(lines)
  const found: Found = {
    written,
    recorded: new Set(),
    faults: [],
    left: 0,
    runs: 0,
    resumed: 0,
    unknown: 0,
    lost: 0,
    doubled: lines.length - written.size,
  }
  for (const tree of trees) inspectTree(tree, found)
  found.lost += lines.filter((line) => !found.recorded.has(line)).length
  const { written: _, recorded: _of, ...sums } = found
  return { ...sums, lines: lines.length }
}

type Tree = readonly (readonly [agent: TreeAgent, events: readonly TreeEvent[]])[]

/** A tree once its root has ended: its runs with their events. */
async function treeOf(server: ServerProcess, root: string): Promise<Tree> {
  await collected(server.events(root))
  const { agents } = await server.tree(root)
  return Promise.all(
    agents.map(async (agent) => {
      return [agent, (await collected(server.events(agent.id))) as readonly TreeEvent[]] as const
    }),
  )
}

function inspectTree(tree: Tree, found: Found): void {
  const { faults } = found
  const root = tree.find(([{ depth }]) => depth === undefined)?.[0].id ?? ''
  const places = tree.map(([{ parentRunId, parentStep, parentCallId, task }]) =>
    JSON.stringify([parentRunId, parentStep, parentCallId, task]),
  )
  found.runs += tree.length - 1
  found.doubled += places.length - new Set(places).size
  if (tree.length !== RUNS_OF_TREE) faults.push(`${root} has ${tree.length} runs`)
  let writes = 0
  for (const [agent, events] of tree) {
    const isResumed = events.some(({ type }) => type === 'run-resumed')
    if (isResumed && agent.depth === undefined) found.left++
    if (isResumed && agent.depth !== undefined) found.resumed++
    if (agent.state !== 'completed') faults.push(`${agent.id} of ${root} is ${agent.state}`)
    events.forEach(({ seq }, index) => {
      if (seq !== index) faults.push(`event ${index} of ${agent.id} has the number ${seq}`)
    })
    writes += inspectCalls(agent.id, events, found)
  }
  found.lost += Math.max(0, LINES_OF_TREE - writes)
}

/** Compares the calls of a run with the lines. Returns how many calls write lines. */
function inspectCalls(runId: string, events: readonly TreeEvent[], found: Found): number {
  const ends = new Map(
    events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [[event.callId ?? '', event] as const] : [],
    ),
  )
  const begun = events.filter(({ type }) => type === 'tool-execution-start')
  const names = new Map(begun.map(({ callId = '', name = '' }) => [callId, name]))
  for (const [callId, name] of names) {
    const key = `${runId} ${callId}`
    found.recorded.add(key)
    const fault = faultOf(name, found.written.has(key), ends.get(callId))
    if (fault !== undefined) found.faults.push(`${key} (${name}): ${fault}`)
    if (ends.get(callId)?.error?.class === 'outcome_unknown') found.unknown++
  }
  return [...names.values()].filter((name) => name === 'write').length
}

/** What a record says wrongly about its call. */
function faultOf(name: string, isWritten: boolean, end: TreeEvent | undefined): string | undefined {
  if (!end) return 'it began, and has no end'
  if (end.state === 'succeeded') {
    return name === 'write' && !isWritten ? 'it succeeded without a line' : undefined
  }
  const isUnknown = end.error?.class === 'outcome_unknown'
  return name === 'write' && isUnknown ? undefined : `it ended as ${end.state}`
}
