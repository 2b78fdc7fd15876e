import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { run } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { type NodeHandler, toNodeHandler, toResponse } from '../../src/server/index.ts'

describe('a handler for the HTTP server of Node', () => {
  let host: Host
  let http: Server
  before(async () => {
    const settings = { scripted: { delay_ms: 0 } }
    host = await createHost({ plugins: [scripted], config: { provider: 'scripted', settings } })
  })
  after(() => host.close())
  afterEach(() => {
    http.closeAllConnections()
    http.close()
  })

  async function serve(handler: NodeHandler): Promise<string> {
    http = createServer(handler).listen(0, '127.0.0.1')
    await once(http, 'listening')
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  }

  it('sends each cookie of a response that is streamed', async () => {
    const answer = async () => {
      const response = await toResponse(run(host, { messages: 'hi' }), {
        protocol: 'ui-message-stream',
      })
      response.headers.append('set-cookie', 'session=1; HttpOnly')
      response.headers.append('set-cookie', 'csrf=2')
      return response
    }
    const response = await fetch(await serve(toNodeHandler({ fetch: answer })))
    expect(await response.text()).to.include('[DONE]')
    expect(response.headers.getSetCookie()).to.deep.equal(['session=1; HttpOnly', 'csrf=2'])
  })
})
