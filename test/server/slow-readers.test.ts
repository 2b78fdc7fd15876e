import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import {
  type BraidworkServer,
  createServer as createBraidwork,
  toNodeHandler,
} from '../../src/server/index.ts'
import { textEvents } from '../helpers/hosts.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { LOAD_MODEL, LOAD_PROTOCOLS } from './load/protocols.ts'

/** More than the connections of loopback hold, and far more than a run keeps in memory. */
const DELTAS = Array.from({ length: 60 }, (_, index) => `${index}${' '.repeat(200_000)}`)

describe('a client that reads more slowly than the model writes', () => {
  let host: Host
  let server: BraidworkServer
  let http: Server
  before(async () => {
    host = await createHost({ plugins: [eventProvider(textEvents(...DELTAS))] })
    const models = { [LOAD_MODEL]: { config: { provider: 'p' } } }
    const authenticate = async () => ({ id: 'ada', role: 'user' as const })
    server = await createBraidwork({ host, models, storage: memoryStorage(), authenticate })
    http = createServer(toNodeHandler(server)).listen(0, '127.0.0.1')
    await once(http, 'listening')
  })
  after(async () => {
    http.closeAllConnections()
    http.close()
    await server.close()
    await host.close()
  })

  /** Asks, and reads nothing of the answer. */
  async function ask(path: string, body: object): Promise<IncomingMessage> {
    const { port } = http.address() as AddressInfo
    const headers = { 'content-type': 'application/json' }
    const asking = request({ host: '127.0.0.1', port, path, method: 'POST', headers })
    asking.end(JSON.stringify(body))
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    return response
  }

  for (const { name, path, body, delta } of LOAD_PROTOCOLS) {
    it(`gets the whole answer over ${name}, though the run has long ended`, async () => {
      const response = await ask(path, body('c'))
      while (server.activeRuns > 0) await setImmediate()
      const frames = (await text(response)).split('\n').filter((line) => line.startsWith('data: {'))
      const deltas = frames.map((frame) => delta(JSON.parse(frame.slice(6))))
      expect(deltas.filter((one) => one)).to.have.lengthOf(DELTAS.length)
      expect(deltas.join('') === DELTAS.join('')).to.equal(true)
    })
  }
})
