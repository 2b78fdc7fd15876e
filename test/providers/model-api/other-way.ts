/** A program whose requests go another way than Node's; in a process of its own, as globals are replaced. */
import type { Dispatcher } from '../../../providers/model-api/dispatch.ts'
import openai from '../../../providers/openai/index.ts'
import { createHost } from '../../../src/core/index.ts'

const [way] = process.argv.slice(2)
const message = { role: 'assistant', content: `answered by ${way}` }
const ANSWER = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })

/** Answers without a network. */
const dispatcher: Dispatcher = {
  dispatch: (_request, handler) => {
    handler.onConnect(() => undefined)
    const headers = ['content-type', 'application/json'].map((text) => Buffer.from(text))
    handler.onHeaders(200, headers, () => undefined)
    handler.onData(Buffer.from(ANSWER))
    handler.onComplete()
    return true
  },
}

// The property is there, and cannot be made anew, once Node's client is loaded.
new Headers()
const hasDispatcher = way === 'dispatcher'
const replaced = hasDispatcher
  ? { [Symbol.for('undici.globalDispatcher.1')]: dispatcher }
  : {
      [Symbol.for('undici.globalDispatcher.1')]: undefined,
      fetch: async () => new Response(ANSWER, { headers: { 'content-type': 'application/json' } }),
    }
Object.assign(globalThis, replaced)

await using host = await createHost({ plugins: [openai] })
const settings = { openai: { api_key: 'sk-test-0123456789', api: 'chat' } }
const { messages } = await host.send({ provider: 'openai', model: 'm', settings }, 'Hello')
const [part] = messages[0]?.parts ?? []
process.stdout.write(part?.type === 'text' ? part.text : 'no text')
