import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import mcp from '../../../tools/mcp/index.ts'
import { callOf, inventoryOf, rawServer, serversConfig } from './mcp-host.ts'

const WORDS = 'error MCP server "raw" wrote: FATAL: the database is locked'

describe('an MCP server that ends unexpectedly', function () {
  this.timeout(20_000)
  let host: Host | undefined
  let lines: string[]
  beforeEach(() => {
    lines = []
  })
  afterEach(() => host?.close())

  async function hostOf(server: object, more: object = {}): Promise<Host> {
    host = await createHost({
      plugins: [scripted, mcp],
      config: serversConfig({ raw: server }, more),
      log: ({ level, message }) => void lines.push(`${level} ${message}`),
    })
    return host
  }

  /** Calls a tool three times: the second call starts the server again, and the third one comes too early. */
  async function thrice(server: object, more: object = {}): Promise<readonly unknown[]> {
    using opened = await (await hostOf(server, more)).open()
    const outputs: unknown[] = []
    for (let count = 0; count < 3; count++) outputs.push((await callOf(opened, 'raw__echo')).output)
    return outputs
  }

  it('in a call: the log has how, and its last words, however much it wrote before', async () => {
    const [first, , third] = await thrice(rawServer('dies'))
    expect(first).to.equal(
      'The MCP server "raw" ended while the call ran, which may have had effects',
    )
    expect(third).to.equal(
      'The MCP server "raw" is not available: it ended unexpectedly. The next try is in 1 s.',
    )
    const ended = 'warn MCP server "raw": ended unexpectedly, with exit status 3'
    const told = lines.filter((line) => line === ended || line === WORDS)
    expect(told).to.deep.equal([ended, WORDS, ended, WORDS])
  })

  it('while it is asked for its tools: the log has the same', async () => {
    const { raw__unavailable: away } = await inventoryOf(await hostOf(rawServer('dies-listing')))
    expect(away?.reason).to.match(
      /^The MCP server "raw" is not available: it ended when it was asked/,
    )
    expect(lines.slice(-3, -1)).to.deep.equal([
      'warn MCP server "raw": ended unexpectedly, with exit status 3',
      WORDS,
    ])
  })

  it('because it sent too much: the log and later calls say so', async () => {
    const reason = 'it sent more than 100000 bytes at once (settings.mcp.max_bytes)'
    const [, , third] = await thrice(rawServer('large', '200000'), { max_bytes: 100_000 })
    expect(third).to.equal(
      `The MCP server "raw" is not available: ${reason}. The next try is in 1 s.`,
    )
    expect(lines).to.include(`warn MCP server "raw": was ended: ${reason}`)
    expect(lines.join()).to.not.include('unexpectedly')
  })
})
