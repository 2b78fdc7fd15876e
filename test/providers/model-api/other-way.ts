/** A program that prints which client its request used; in a process of its own, as the client depends on globals. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispatcher } from '../../../providers/model-api/http/dispatch.ts'

const [way] = process.argv.slice(2)
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
const answer = (content: string): string =>
  JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  })

/** Answers without a network. */
const dispatcher: Dispatcher = {
  dispatch: (_request, handler) => {
    handler.onConnect(() => undefined)
    const headers = ['content-type', 'application/json'].map((text) => Buffer.from(text))
    handler.onHeaders(200, headers, () => undefined)
    handler.onData(Buffer.from(answer('answered by the dispatcher')))
    handler.onComplete()
    return true
  },
}

if (way === 'dispatcher') Reflect.set(globalThis, DISPATCHER, dispatcher)
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end(answer('answered over HTTP'))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

// The bundles: in the sources the SDKs use the classes of `fetch`.
const { createHost } = await import('@braidwork/core')
const { default: openai } = await import('@braidwork/provider-openai')
await using host = await createHost({ plugins: [openai] })
const settings = { openai: { api_key: 'sk-test-0123456789', api: 'chat', base_url } }
// A process that sends many requests loads `fetch` for those that follow.
for (let sent = 0; way === 'many' && sent < 100; sent++) {
  await host.send({ provider: 'openai', model: 'm', settings }, 'Hello')
}
const { messages } = await host.send({ provider: 'openai', model: 'm', settings }, 'Hello')
const [part] = messages[0]?.parts ?? []
const isLoaded = Reflect.get(globalThis, DISPATCHER) !== undefined
process.stdout.write(part?.type === 'text' ? part.text : 'no text')
if (way !== 'dispatcher') process.stdout.write(`, fetch is ${isLoaded ? '' : 'not '}loaded`)
server.close()
server.closeAllConnections()
