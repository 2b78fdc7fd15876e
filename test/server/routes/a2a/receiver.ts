import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A notification as it was received. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver of push notifications on loopback. */
export class Receiver {
  readonly all: Received[] = []
  readonly #server = createServer(async (request, response) => {
    const received = { headers: request.headers, body: await text(request) }
    this.all.push(received)
    const [status, headers] = this.answers.shift() ?? [200, {}]
    response.writeHead(status, headers).end()
    for (const look of this.#waits) look()
  })
  readonly #waits = new Set<() => void>()
  /** How the next notifications are answered; the default is 200. */
  answers: [status: number, headers: { readonly [name: string]: string }][] = []
  #url = ''

  get url(): string {
    return this.#url
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  /** Resolves with the first notification that is meant, now or later. */
  received(isMeant: (received: Received) => boolean): Promise<Received> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.all.find(isMeant)
        if (!found) return
        this.#waits.delete(look)
        resolve(found)
      }
      this.#waits.add(look)
      look()
    })
  }
}
