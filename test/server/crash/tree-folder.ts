import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A tool that appends a line with its run and call to a file, and one that only reads. */
const WRITER = `
import { appendFileSync } from 'node:fs'
const schema = (name, safety) => ({
  name, description: name, input_schema: { type: 'object', properties: {} }, safety,
})
export default {
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

const WRITE = { name: 'write', input: {} }
const LOOK = { name: 'look', input: {} }
const asks = (id: string) => ({ name: `agent_run_${id}`, input: { prompt: 'work' } })
const SPAWN = {
  name: 'agent_spawn',
  input: { tasks: [{ prompt: 'part 1' }, { prompt: 'part 2' }] },
}

interface Rule {
  readonly when?: object
  readonly then: object
}
const calls = (step: number, ...tool_calls: readonly object[]): Rule => ({
  when: { step },
  then: { text: `Step ${step}.`, tool_calls },
})

/** The runs of one tree: the root, and those below it down to depth 3. */
export const RUNS_OF_TREE = 7
/** The calls of one tree that write a line. */
export const LINES_OF_TREE = 9

/** A root with two delegates; one has a chain of two below it, the other has two subagents. */
const AGENTS: { readonly [id: string]: readonly Rule[] } = {
  root: [
    calls(1, asks('left'), asks('right')),
    calls(2, WRITE),
    { then: { text: 'That is all.' } },
  ],
  left: [calls(1, WRITE), calls(2, asks('middle')), { then: { text: 'left' } }],
  middle: [calls(1, asks('leaf'), LOOK), calls(2, WRITE), { then: { text: 'middle' } }],
  leaf: [calls(1, WRITE, WRITE), calls(2, WRITE), { then: { text: 'leaf' } }],
  right: [
    { when: { text: 'work', step: 1 }, then: { tool_calls: [SPAWN] } },
    { when: { text: 'work', step: 2 }, then: { tool_calls: [WRITE] } },
    { when: { text: 'part', step: 1 }, then: { tool_calls: [WRITE] } },
    { then: { text: 'right' } },
  ],
}
const DELEGATES: { readonly [id: string]: readonly string[] } = {
  root: ['left', 'right'],
  left: ['middle'],
  middle: ['leaf'],
}

/** A folder with the config and the store of a server that is killed while trees of runs work. */
export interface TreeFolder {
  readonly folder: string
  /** The calls that the tool has run: `<run> <call>`, in order. */
  lines(): Promise<readonly string[]>
  clear(): Promise<void>
  remove(): Promise<void>
}

/** @param store the address of the store; by default a file in the folder */
export async function treeFolder(store = 'conversations.db'): Promise<TreeFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-crash-trees-'))
  const agents = Object.entries(AGENTS).map(([id, script]) => {
    const delegates = DELEGATES[id]
    const settings = { scripted: { script } }
    const more = {
      ...(delegates ? { delegates } : {}),
      ...(id === 'right' ? { subagents: true } : {}),
    }
    return [id, { config: { settings }, ...more }] as const
  })
  const config = {
    provider: 'scripted',
    plugins: ['./writer.mjs'],
    settings: { scripted: { delay_ms: 1 } },
    on_interrupt: 'resume',
    agents: Object.fromEntries(agents),
    server: { store, limits: { runs: 1000, requests_per_minute: 100_000 } },
  }
  await writeFile(join(folder, 'braidwork.json'), JSON.stringify(config))
  await writeFile(join(folder, 'writer.mjs'), WRITER)
  const file = join(folder, 'lines.txt')
  return {
    folder,
    lines: async () => {
      const text = await readFile(file, 'utf8').catch(() => '')
      return text.split('\n').slice(0, -1)
    },
    clear: () => rm(file, { force: true }),
    remove: () => rm(folder, { recursive: true, maxRetries: 3 }),
  }
}
