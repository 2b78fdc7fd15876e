import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Calls of one run, each of them in a step of its own. */
const CALLS = 6

/** A tool that appends a line with its call to a file, and a feature that notes the results that a request holds. */
const PLUGINS = `
import { appendFileSync } from 'node:fs'
const schema = (name, safety) => ({
  name, description: name, input_schema: { type: 'object', properties: {} }, safety,
})
export const writer = {
  kind: 'tool',
  name: 'writer',
  getToolSchemas: () => [schema('write', {}), schema('look', { is_read_only: true })],
  executeTool: ({ callId, name }, _, { runId }) => {
    if (name === 'look') return 'seen'
    appendFileSync('lines.txt', runId + ' ' + callId + '\\n')
    return new Promise((done) => setTimeout(() => done('written'), 5))
  },
}
`
const NOTER = `
import { appendFileSync } from 'node:fs'
export default {
  kind: 'feature',
  name: 'noter',
  editMessages: (messages, _, { conversationId }) => {
    const results = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-result'))
    const ids = results.map(({ callId }) => callId)
    appendFileSync('asked.txt', JSON.stringify({ conversationId, ids }) + '\\n')
    return messages
  },
}
`

export type OnInterrupt = 'resume' | 'end'

/** A folder with the config and the store of a server that is killed while its tools write. */
export interface ToolFolder {
  readonly folder: string
  /** Says what becomes of runs whose server is killed, from the next start on. By default they end. */
  onInterrupt(what: OnInterrupt): Promise<void>
  /** The calls that the tool has run: `<run> <call>`, in order. */
  lines(): Promise<readonly string[]>
  /** The ids of the calls whose results the last request of each conversation held. */
  asked(): Promise<ReadonlyMap<string, readonly string[]>>
  /** Forgets what was written so far. */
  clear(): Promise<void>
  remove(): Promise<void>
}

/** @param store the address of the store; by default a file in the folder */
export async function toolFolder(store = 'conversations.db'): Promise<ToolFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-crash-tools-'))
  const step = (at: number) => ({
    when: { text: 'work', step: at },
    then: { tool_calls: [{ name: at % 3 === 0 ? 'look' : 'write', input: {} }] },
  })
  const script = [
    ...Array.from({ length: CALLS }, (_, at) => step(at + 1)),
    { then: { text: 'That is all.' } },
  ]
  const config = {
    provider: 'scripted',
    plugins: ['./writer.mjs', './noter.mjs'],
    settings: { scripted: { script, delay_ms: 1 } },
    server: {
      store,
      models: { work: {} },
      limits: { runs: 1000, requests_per_minute: 100_000 },
    },
  }
  const onInterrupt = (what: OnInterrupt) =>
    writeFile(join(folder, 'braidwork.json'), JSON.stringify({ ...config, on_interrupt: what }))
  await onInterrupt('end')
  await writeFile(join(folder, 'writer.mjs'), `${PLUGINS}export default writer\n`)
  await writeFile(join(folder, 'noter.mjs'), NOTER)
  const read = async (name: string) => {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    // A process that is killed may leave half a line.
    return text.split('\n').slice(0, -1)
  }
  return {
    folder,
    onInterrupt,
    lines: () => read('lines.txt'),
    asked: async () => {
      const notes = (await read('asked.txt')).map((line) => JSON.parse(line) as Note)
      return new Map(notes.map(({ conversationId, ids }) => [conversationId, ids]))
    },
    clear: async () => {
      for (const name of ['lines.txt', 'asked.txt']) await rm(join(folder, name), { force: true })
    },
    remove: () => rm(folder, { recursive: true, maxRetries: 3 }),
  }
}

interface Note {
  readonly conversationId: string
  readonly ids: readonly string[]
}
