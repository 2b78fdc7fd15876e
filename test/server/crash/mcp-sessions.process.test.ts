import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'chai'
import { processesWith, waitForEnd } from '../../helpers/processes.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { textOf } from '../routes/mcp/mcp-client.ts'
import { ServerProcess } from './server-process.ts'

const SESSIONS = 20
const SCRIPT = [
  { when: { text: 'wait', step: 1 }, then: { tool_calls: [{ name: 'fx__waits', input: {} }] } },
  { then: { text: 'You said: {{user}}' } },
]

/** A server with agents as tools, and an MCP server of its own. Its command line names the folder. */
async function folderOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-mcp-sessions-'))
  const command = process.execPath
  const program = join(ROOT, 'test', 'tools', 'mcp', 'fixtures', 'server.mjs')
  const args = [`--title=${folder}`, program, '--era', '2025']
  const config = {
    plugins: ['providers/scripted', 'tools/mcp'].map((path) => join(ROOT, path)),
    provider: 'scripted',
    enabled_plugins: ['mcp'],
    settings: {
      scripted: { script: SCRIPT, delay_ms: 0 },
      mcp: { servers: { fx: { command, args } } },
    },
    server: { store: 'conversations.db', models: { quick: {} }, mcp_tools: 'quick' },
  }
  await writeFile(join(folder, 'braidwork.json'), JSON.stringify(config))
  return folder
}

async function connect(url: string): Promise<Client> {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: 'legacy' } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  })
  await client.connect(transport)
  return client
}

const ask = (client: Client, message: string) =>
  client.callTool({ name: 'quick', arguments: { message } })

/** The status of the answer to a request of a session. */
async function statusOf(url: string, session: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': session,
    'mcp-protocol-version': '2025-11-25',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  await response.body?.cancel()
  return response.status
}

/** Closes clients, of which those of a killed server cannot say so to it. */
async function closeAll(clients: readonly Client[]): Promise<void> {
  await Promise.allSettled(clients.map((client) => client.close()))
}

describe('a server that is killed with 20 sessions of MCP', function () {
  this.timeout(120_000)
  let folder: string
  let server: ServerProcess
  const clients: Client[] = []
  before(async () => {
    folder = await folderOf()
  })
  afterEach(async () => {
    await closeAll(clients.splice(0))
    await server?.kill()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const connectAll = async () => {
    const all = await Promise.all(Array.from({ length: SESSIONS }, () => connect(server.url)))
    clients.push(...all)
    return all
  }

  it('leaves no process behind, says in its next life that they have ended, and serves new ones', async () => {
    server = await ServerProcess.start(folder)
    const first = await connectAll()
    const calls = first.map((client) => ask(client, 'wait').then(textOf, () => 'cut off'))
    while ((await server.activeRuns()) < SESSIONS) await new Promise(setImmediate)
    let children = processesWith(folder)
    while (children.length === 0) children = processesWith(folder)
    const sessions = first.map(({ transport }) => String(transport?.sessionId))
    expect(new Set(sessions).size).to.equal(SESSIONS)
    await server.kill()
    expect(await waitForEnd(children)).to.deep.equal([])

    server = await ServerProcess.start(folder)
    const statuses = await Promise.all(sessions.map((session) => statusOf(server.url, session)))
    expect(statuses).to.deep.equal(sessions.map(() => 404))
    while ((await server.activeRuns()) > 0) await new Promise(setImmediate)
    const again = await connectAll()
    const answers = await Promise.all(again.map(async (client) => textOf(await ask(client, 'hi'))))
    expect(answers).to.deep.equal(again.map(() => 'You said: hi'))
    await closeAll(first)
    expect(await Promise.all(calls)).to.deep.equal(first.map(() => 'cut off'))
  })
})
