import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { type GuardedFetch, guardedFetch } from '../../../../tools/mcp/connection/guarded-fetch.ts'

describe('the requests to an MCP server', () => {
  let server: Server
  let guarded: GuardedFetch
  afterEach(() => {
    guarded.close()
    server.close()
  })

  /** Asks a server that answers so. */
  async function asked(answer: RequestListener, connectMs = 5000): Promise<Response> {
    server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/mcp`
    guarded = guardedFetch({ url, allowPrivate: true, maxBytes: 1000, connectMs })
    return guarded.fetch(url)
  }

  it('may take longer than the connection to it', async () => {
    // The timer of the connection began before, so it would end before this one.
    const connectMs = 40
    const response = await asked((_request, response) => {
      setTimeout(() => response.end('late'), connectMs + 5)
    }, connectMs)
    expect(await response.text()).to.equal('late')
  })

  for (const status of [204, 205, 304])
    it(`have an answer without a body where the status says so: ${status}`, async () => {
      const response = await asked((_request, response) => {
        response.writeHead(status, { 'mcp-session-id': 's' }).end()
      })
      expect(response.status).to.equal(status)
      expect(response.body).to.equal(null)
      expect(response.headers.get('mcp-session-id')).to.equal('s')
    })
})
