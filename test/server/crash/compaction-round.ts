import { openStorage } from '../../../src/store/index.ts'
import { type CompactionFolder, comparable } from './compaction-folder.ts'
import {
  collected,
  framesOf,
  ServerProcess,
  type ShownConversation,
  type StoredEvent,
} from './server-process.ts'

const OWNER = 'local'

/** What a conversation with tools, an approval and a compaction came to whose server was killed. */
export interface CompactionRound {
  /** Whether the server was killed: false if it came to the end with fewer writes. */
  readonly isKilled: boolean
  readonly faults: readonly string[]
  /** What the model was asked at the end. */
  readonly request: readonly unknown[]
  /** All messages as they are stored, those included that the model is shown no more. */
  readonly messages: readonly unknown[]
}

/**
 * Has a conversation with a server that is killed behind a write, and goes on with the next server from where its
 * client had come.
 * @param deadly the number of the write, from 1; without it no server is killed
 */
export async function compactionRound(
  folder: CompactionFolder,
  deadly = Number.POSITIVE_INFINITY,
): Promise<CompactionRound> {
  const id = `c-${process.pid}-${Date.now()}-${deadly}`
  const server = await dyingServer(folder, deadly)
  // Its last request may be the one that it does not survive.
  const isKilled = await converse(server, id).then(
    () => false,
    () => true,
  )
  if (isKilled) await server.ended()
  await server.kill()
  const next = await ServerProcess.start(folder.folder)
  try {
    await converse(next, id)
  } finally {
    await next.kill()
  }
  return { isKilled, ...(await stored(folder, id)), request: await folder.lastRequest() }
}

function dyingServer({ folder }: CompactionFolder, deadly: number): Promise<ServerProcess> {
  const program = new URL('./dying-writer.ts', import.meta.url)
  return ServerProcess.runCompiled(folder, program, String(deadly))
}

/** Does what is still to do: a turn with an approval, another one, a compaction of the first, and a last turn. */
async function converse(server: ServerProcess, id: string): Promise<void> {
  await turn(server, id, { id: 'u1', text: `Please work. ${'word '.repeat(1500)}` })
  await turn(server, id, { id: 'u2', text: 'Is it there?' })
  await compact(server, id)
  await turn(server, id, { id: 'u3', text: 'And now?' })
}

/** Says a message unless the server knows it, and waits for its answer. */
async function turn(server: ServerProcess, id: string, said: Said): Promise<void> {
  const before = await shown(server, id)
  if (!before?.messages.some((message) => message.id === said.id)) await say(server, id, said)
  for (;;) {
    const now = await shown(server, id)
    const run = now?.run ?? now?.lastRun
    if (!run || run.status === 'done') return
    if (run.status === 'suspended') await approve(server, run.id)
    // An active run goes on by itself.
    else if (run.status === 'active') await collected(server.events(run.id))
    else throw new Error(`The run ended as ${run.status}.`)
  }
}

async function shown(server: ServerProcess, id: string): Promise<ShownConversation | undefined> {
  return server.conversation(id).catch((error: Error) => {
    if (error.message.includes('status 404')) return undefined
    throw error
  })
}

async function approve(server: ServerProcess, runId: string): Promise<void> {
  let approvalId = ''
  let last = -1
  for await (const event of server.events(runId)) {
    approvalId = event.approvalId ?? approvalId
    last = event.seq
  }
  // Of an approval that was answered before the server was killed, nothing is left to answer.
  const answer = await server.post(`/approvals/${approvalId}`, { approved: true }).catch(ifGone)
  if (answer) await answer.text()
  await collected(server.events(runId, last))
}

function ifGone(error: Error): undefined {
  if (!/status 4\d\d/.test(error.message)) throw error
}

/** Compacts a conversation. The claim of a killed server holds for some seconds. */
async function compact(server: ServerProcess, id: string): Promise<void> {
  const done = await server.post(`/api/conversations/${id}/compact`, {}).catch((error: Error) => {
    if (error.message.includes('COMPACTION_NEEDLESS')) return undefined
    if (error.message.includes('COMPACTION_BUSY')) return compact(server, id)
    throw error
  })
  await done?.text()
}

interface Said {
  readonly id: string
  readonly text: string
}

async function say(server: ServerProcess, id: string, { id: own, text }: Said): Promise<void> {
  const messages = [{ id: own, role: 'user', parts: [{ type: 'text', text }] }]
  const response = await server.post('/api/chat', { id, messages, trigger: 'submit-message' })
  for await (const _ of framesOf<StoredEvent>(response));
}

/** A conversation as it is stored, and what is wrong with it: a marker too many or without its archive. */
async function stored(
  { store }: CompactionFolder,
  id: string,
): Promise<Pick<CompactionRound, 'faults' | 'messages'>> {
  const storage = await openStorage(store)
  try {
    const entries = await storage.conversations.history(OWNER, id)
    const markers = entries.flatMap((entry) => (entry.kind === 'compaction' ? [entry] : []))
    const faults = markers.length === 1 ? [] : [`${markers.length} compactions`]
    for (const { archive } of markers) {
      if (!(await storage.files.has(OWNER, archive, id))) faults.push(`no archive ${archive}`)
    }
    const messages = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    return { faults, messages: comparable(messages) }
  } finally {
    await storage.close()
  }
}
