import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import { configFor } from '../../scripts/replay/replayer.ts'
import { createHost } from '../../src/core/index.ts'
import { APIS, eventsOf, placeOf } from './long-answers.ts'

/** Chunks of which a reader waits for. */
const MOST_AHEAD = 64
const MOST_BYTES = 256 * 1024
const READ = 10
/** At most so many events come before the first text. */
const WITHOUT_TEXT = 3
const ENDLESS = 100_000_000

type Step = readonly [unknown, readonly unknown[], readonly unknown[], unknown, object]

/** Writes as fast as it is read. */
function pour(response: ServerResponse, events: Iterator<string, void, undefined>): void {
  const push = (): void => {
    while (!response.destroyed) {
      const next = events.next()
      if (next.done) return void response.end()
      if (!response.write(next.value)) return void response.once('drain', push)
    }
  }
  push()
}

/** Waits until a count does not grow any more. */
async function settled(count: () => number): Promise<number> {
  let before = -1
  while (count() !== before) {
    before = count()
    await wait(100)
  }
  return before
}

describe('a slow reader', () => {
  let server: Server
  let url: string
  let api: (typeof APIS)[number]
  /** The port of the client that the server answers. */
  let port: number | undefined
  const sockets: Socket[] = []
  const onSocket = (message: unknown) => sockets.push((message as { socket: Socket }).socket)

  before(async () => {
    server = createServer((request, response) => {
      port = request.socket.remotePort
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      pour(response, eventsOf(api, { words: ENDLESS }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    subscribe('net.client.socket', onSocket)
  })
  after(async () => {
    unsubscribe('net.client.socket', onSocket)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  for (const name of APIS) {
    it(`holds an endless answer back, and closes it when it leaves (${name})`, async () => {
      api = name
      let processed = 0
      const counter = {
        kind: 'extension',
        name: 'counter',
        processChunk: (...[, partials, finals, native, state]: Step) => {
          processed++
          return [partials, finals, native, state]
        },
      }
      const host = await createHost({ plugins: [openai, anthropic, counter] })
      const stream = host.stream(configFor(placeOf(api), url), 'Hello')
      const events = stream[Symbol.asyncIterator]()
      for (let read = 0; read < READ; ) {
        const { value, done } = await events.next()
        if (done) throw new Error('it ended')
        if (value.type === 'text-delta') read++
      }
      const socket = sockets.find(({ localPort }) => localPort === port)
      if (socket === undefined) throw new Error('the socket of the request is not known')
      const closed = new Promise((done) => socket.once('close', done))
      const bytes = await settled(() => socket.bytesRead)
      expect(bytes).to.be.above(0).and.below(MOST_BYTES)
      expect(processed)
        .to.be.at.least(READ)
        .and.at.most(READ + WITHOUT_TEXT + MOST_AHEAD)
      await events.return?.()
      expect((await stream.result).status).to.equal('aborted')
      await closed
      await host.close()
    })
  }
})
