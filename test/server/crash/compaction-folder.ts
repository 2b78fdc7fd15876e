import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject, type Message } from '../../../src/plugin/events/index.ts'

/** A tool that only reads, and one that asks a person first and may run twice. */
const TOOLS = `
const schema = (name, safety) => ({
  name, description: name, input_schema: { type: 'object', properties: {} }, safety,
})
export default {
  kind: 'tool',
  name: 'looker',
  getToolSchemas: () => [schema('look', { is_read_only: true }), schema('send', { is_idempotent: true })],
  executeTool: ({ name }) => name === 'look' ? 'seen' : 'sent',
}
`
/** A feature that notes each request. */
const NOTER = `
import { appendFileSync } from 'node:fs'
export default {
  kind: 'feature',
  name: 'noter',
  editMessages: (messages) => {
    appendFileSync('asked.txt', JSON.stringify(messages) + '\\n')
    return messages
  },
}
`

/** A folder with the config and the store of a server whose conversations are compacted. */
export interface CompactionFolder {
  readonly folder: string
  readonly store: string
  /** The messages of the last request to the model, without what differs from run to run. */
  lastRequest(): Promise<readonly unknown[]>
  remove(): Promise<void>
}

/** @param store the address of the store; by default a file in the folder */
export async function compactionFolder(store?: string): Promise<CompactionFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-crash-compactions-'))
  const place = store ?? join(folder, 'conversations.db')
  const rule = (when: object, answer: object) => ({ when, ['then']: answer })
  const script = [
    rule({ text: 'Summarize the part' }, { text: 'They looked, and sent it.' }),
    rule({ text: 'work', step: 1 }, { tool_calls: [{ name: 'look', input: {} }] }),
    rule({ text: 'work', step: 2 }, { tool_calls: [{ name: 'send', input: {} }] }),
    rule({ text: 'work', step: 3 }, { text: 'It is sent.' }),
    rule({ text: 'Is it there?' }, { text: 'It is there.' }),
    rule({ text: 'And now?' }, { text: 'Nothing else.' }),
  ]
  const config = {
    provider: 'scripted',
    plugins: ['./looker.mjs', './noter.mjs'],
    tool_policy: { send: 'ask' },
    on_interrupt: 'resume',
    settings: { scripted: { script, delay_ms: 0 } },
    server: { store: place, models: { work: {} }, limits: { requests_per_minute: 100_000 } },
  }
  await writeFile(join(folder, 'braidwork.json'), JSON.stringify(config))
  await writeFile(join(folder, 'looker.mjs'), TOOLS)
  await writeFile(join(folder, 'noter.mjs'), NOTER)
  return {
    folder,
    store: place,
    lastRequest: async () => {
      const lines = (await readFile(join(folder, 'asked.txt'), 'utf8')).trim().split('\n')
      return comparable(JSON.parse(lines.at(-1) ?? '[]') as readonly Message[])
    },
    remove: () => rm(folder, { recursive: true, maxRetries: 3 }),
  }
}

/** Messages without what differs from run to run: ids, metadata and hashes. */
export function comparable(messages: readonly Message[]): readonly unknown[] {
  const text = JSON.stringify(messages, (key, value: unknown) => {
    if (key === 'callId') return 'call'
    if (key === 'metadata') return undefined
    return isObject(value) && 'role' in value ? { ...value, id: undefined } : value
  })
  return JSON.parse(text.replaceAll(/[0-9a-f]{64}/g, 'HASH')) as readonly unknown[]
}
