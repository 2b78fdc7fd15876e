import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'
import { SERVED } from '../server/clients/scripts.ts'
import { textOf } from '../server/routes/mcp/mcp-client.ts'
import { Serving } from './serving.ts'

const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'

describe('a server of MCP whose process is killed', function () {
  this.timeout(60_000)
  let folder: string
  let serving: Serving | undefined
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    const { plugins: _, ...config } = SERVED
    const plugins = ['providers/scripted', 'tools/calculator'].map((path) => join(ROOT, path))
    const server = { ...config.server, store: join(folder, 'store.db') }
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, plugins, server }))
  })
  afterEach(async () => {
    await serving?.stop('SIGKILL')
    await rm(folder, { recursive: true })
  })

  async function serve(): Promise<URL> {
    serving = new Serving(folder, ['--config', join(folder, 'config.json'), '--port', '0'])
    return new URL(`${await serving.address()}/mcp`)
  }

  async function connect(url: URL, mode: 'legacy' | 'auto', whenAsked: () => Promise<void>) {
    const client = new Client(
      { name: 'tests', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
    )
    client.setRequestHandler('elicitation/create', async () => {
      await whenAsked()
      return { action: 'accept', content: { approve: true } }
    })
    let address = url
    const transport = new StreamableHTTPClientTransport(url, {
      fetch: (_, init) => fetch(address, init),
    })
    await client.connect(transport)
    const moveTo = (next: URL) => {
      address = next
    }
    return { client, moveTo }
  }

  it('goes on, after a restart, with a call that was asking a person', async () => {
    const { client, moveTo } = await connect(await serve(), 'auto', async () => {
      await serving?.stop('SIGKILL')
      moveTo(await serve())
    })
    const result = await client.callTool({ name: 'careful', arguments: { message: 'calculate' } })
    expect(textOf(result)).to.equal(IT_IS)
    await client.close()
  })

  it('tells the clients of earlier revisions that their session has ended', async () => {
    const { client, moveTo } = await connect(await serve(), 'legacy', async () => undefined)
    await client.listTools()
    await serving?.stop('SIGKILL')
    moveTo(await serve())
    const error = await client.listTools().catch((thrown: unknown) => thrown)
    expect(String(error)).to.include('There is no such session')
    // Closing ends the session, and there is none.
    await client.close().catch(() => undefined)
  })
})
