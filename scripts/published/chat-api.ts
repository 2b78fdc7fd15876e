/** An API of chat completions on loopback, which gives every request one answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_ANSWER } from './samples.ts'

export interface ChatApi {
  readonly address: string
  close(): Promise<void>
}

export async function startChatApi(): Promise<ChatApi> {
  const server = createServer((request, response) => {
    request.resume()
    const chunk = { choices: [{ delta: { content: API_ANSWER }, finish_reason: 'stop' }] }
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close }
}
