import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../load/stamps.ts'

export const CRASH_MODEL = 'crash'
/** Words of an answer, and milliseconds between two. */
export const WORDS = 120
const PAUSE = 15

/** A folder with the config and the database of a server that is going to be killed. */
export interface CrashFolder {
  readonly folder: string
  remove(): Promise<void>
}

/** A tool that writes down that it was called, and never answers. */
const HANGING_TOOL = `
import { appendFileSync } from 'node:fs'
const tool = (name) => ({
  name,
  description: name,
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
})
export default {
  kind: 'tool',
  name: 'steps',
  getToolSchemas: () => [tool('hang'), tool('note')],
  executeTool: ({ name }) => {
    appendFileSync('calls.txt', name + '\\n')
    return name === 'hang' ? new Promise(() => undefined) : 'noted'
  },
}
`

/** @param more of the server's part of the config */
export async function crashFolder(more: object = {}): Promise<CrashFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-crash-'))
  const call = (name: string) => ({
    when: { text: name, step: 1 },
    then: { text: 'I call it.', tool_calls: [{ name, input: {} }] },
  })
  const script = [
    call('hang'),
    call('note'),
    { when: { tool: 'note' }, then: { text: 'It is noted.' } },
    { then: { text: textOf(WORDS) } },
  ]
  const config = {
    provider: 'scripted',
    plugins: ['./steps.mjs'],
    tool_policy: { note: 'ask' },
    settings: { scripted: { script, delay_ms: PAUSE } },
    server: {
      store: 'conversations.db',
      models: { [CRASH_MODEL]: {} },
      limits: { runs: 1000, requests_per_minute: 100_000 },
      ...more,
    },
  }
  await writeFile(join(folder, 'braidwork.json'), JSON.stringify(config))
  await writeFile(join(folder, 'steps.mjs'), HANGING_TOOL)
  return { folder, remove: () => rm(folder, { recursive: true, maxRetries: 3 }) }
}
