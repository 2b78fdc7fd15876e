import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a test makes of a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A server of a remote agent on the loopback address, which answers as a test wants. */
export class RemoteServer {
  readonly url: string
  readonly requests: IncomingMessage[] = []
  readonly #server: Server

  private constructor(server: Server, requests: IncomingMessage[]) {
    this.#server = server
    this.requests = requests
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(answer: Answer): Promise<RemoteServer> {
    const requests: IncomingMessage[] = []
    const server = createServer((request, response) => {
      requests.push(request)
      let body = ''
      request.setEncoding('utf8').on('data', (piece: string) => {
        body += piece
      })
      request.on('end', () => answer(request, response, body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new RemoteServer(server, requests)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** The card of an agent at an address, as JSON. */
export function cardAt(url: string, more: object = {}): string {
  return JSON.stringify({
    name: 'Far',
    description: 'An agent',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...more,
  })
}
