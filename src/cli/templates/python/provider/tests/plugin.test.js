import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { describeProvider } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')
const CHUNKS = [
  { choices: [{ delta: { content: 'Hel' } }] },
  { choices: [{ delta: { content: 'lo.' }, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
]
const events = CHUNKS.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)

describeProvider(FOLDER, {
  // An API on this machine, which gives every request this answer.
  api: {
    config: (url) => ({ settings: { '{{name}}': { base_url: url } } }),
    streamed: [...events, 'data: [DONE]\n\n'].join(''),
  },
  // What the provider does not do yet.
  lacks: ['images'],
  runner: { describe, it, after },
})
