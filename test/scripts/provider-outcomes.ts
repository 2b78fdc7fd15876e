/** Prints what the providers of HTTP model APIs make of answers and errors of a server on loopback, as JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHost } from '@braidwork/core'
import anthropic from '@braidwork/provider-anthropic'
import openai from '@braidwork/provider-openai'
import compatible from '@braidwork/provider-openai-compatible'

const ERROR = { type: 'error', error: { type: 'some_error', message: 'Not today.', code: 'x' } }
const CHAT = { choices: [{ index: 0, delta: { content: 'Hello' } }] }
const CHAT_END = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const START = { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } }
const BLOCK = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const DELTA = {
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'Hello' },
}
const STOP = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: 2 },
}

function streamOf(path: string): string {
  const events = path.endsWith('/messages')
    ? [
        START,
        BLOCK,
        DELTA,
        { type: 'content_block_stop', index: 0 },
        STOP,
        { type: 'message_stop' },
      ]
    : [CHAT, CHAT_END]
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

/** A server that answers with the status in the path, or with a stream for 200. */
const server = createServer(({ url = '' }, answer) => {
  const status = Number(/^\/(\d{3})\//.exec(url)?.[1])
  answer.statusCode = status
  if (status !== 200) answer.setHeader('content-type', 'application/json')
  answer.end(status === 200 ? streamOf(url) : JSON.stringify(ERROR))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo

const PROVIDERS = [
  { name: 'openai', model: 'gpt-4.1', settings: { api: 'chat' } },
  { name: 'openai-compatible', model: 'any', settings: {} },
  { name: 'anthropic', model: 'claude-haiku-4-5', settings: {} },
]
const STATUSES = [200, 400, 401, 403, 404, 409, 422, 429, 500, 529]

const host = await createHost({ plugins: [openai, compatible, anthropic] })
const outcomes: object[] = []
for (const { name, model, settings } of PROVIDERS) {
  for (const status of STATUSES) {
    const base_url = `http://127.0.0.1:${port}/${status}/v1`
    const own = { ...settings, base_url, api_key: 'sk-test-0123456789', max_retries: 0 }
    const config = { provider: name, model, settings: { [name]: own } }
    const { error, messages, usage } = await host.stream(config, 'Hi').result
    const data = error?.toJSON()
    const message = data?.message.replaceAll(String(port), 'PORT')
    outcomes.push({ name, status, ...data, message, messages, usage })
  }
  outcomes.push({
    name,
    info: await host.modelInfo({ provider: name, model, settings: { [name]: {} } }),
  })
}
await host.close()
server.close()
process.stdout.write(JSON.stringify(outcomes))
