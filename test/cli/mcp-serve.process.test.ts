import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'
import { SERVED } from '../server/clients/scripts.ts'
import { ERAS, type Era, textOf } from '../server/routes/mcp/mcp-client.ts'
import { COMMAND } from './command.ts'

const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'

/** A tool that prints, as careless plugins do. */
const LOUD = `export default {
  kind: 'tool',
  name: 'loud',
  toolSchemas: () => {
    console.log('loud is asked for its tools')
    process.stdout.write('and writes\\n')
    return [{ name: 'shout', input_schema: { type: 'object' } }]
  },
  execute: () => 'done',
}
`

describe('braidwork mcp serve', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await writeFile(join(folder, 'loud.mjs'), LOUD)
    const { plugins: _, ...config } = SERVED
    const tools = [join(ROOT, 'tools', 'calculator'), join(folder, 'loud.mjs')]
    const plugins = [join(ROOT, 'providers', 'scripted'), ...tools]
    const server = { ...config.server, tokens: [{ id: 'ada', token: '$' + '{env:NOT_SET_HERE}' }] }
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, plugins, server }))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const argsOf = (more: readonly string[] = []) => [
    COMMAND,
    'mcp',
    'serve',
    '--config',
    join(folder, 'config.json'),
    ...more,
  ]
  const environment = () => ({
    PATH: String(process.env['PATH']),
    NO_COLOR: '1',
    XDG_CONFIG_HOME: join(folder, 'own'),
    XDG_DATA_HOME: join(folder, 'data'),
  })

  async function connect(era: Era, more: readonly string[] = []) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: argsOf(more),
      env: environment(),
      cwd: folder,
      stderr: 'pipe',
    })
    const faults: Error[] = []
    const client = new Client(
      { name: 'tests', version: '1' },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: era },
      },
    )
    client.onerror = (error) => faults.push(error)
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { approve: true },
    }))
    await client.connect(transport)
    const close = () => client.close()
    return { client, faults, transport, [Symbol.asyncDispose]: close }
  }

  function start(): ChildProcess {
    return spawn(process.execPath, argsOf(), { cwd: folder, env: environment() })
  }

  for (const era of ERAS) {
    it(`lists and calls the agents, and prints nothing but the protocol (${era})`, async () => {
      await using connected = await connect(era)
      const { client, faults } = connected
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).to.deep.equal(['quick', 'slow', 'careful'])
      const told: unknown[] = []
      const ask = (name: string, message: string) =>
        client.callTool({ name, arguments: { message } }, { onprogress: (one) => told.push(one) })
      expect(textOf(await ask('quick', 'calculate'))).to.equal(IT_IS)
      expect(textOf(await ask('careful', 'calculate'))).to.equal(IT_IS)
      expect(told).to.not.deep.equal([])
      // The SDK handles a result before the progress that came just before it, and calls that unknown.
      const others = faults.filter(({ message }) => !message.includes('for an unknown token'))
      expect(others).to.deep.equal([])
    })
  }

  it('offers only the agents that it is told to', async () => {
    await using connected = await connect('auto', ['--agent', 'slow'])
    const { tools } = await connected.client.listTools()
    expect(tools.map(({ name }) => name)).to.deep.equal(['slow'])
  })

  it('offers the tools of an agent, if the config says so, to whom the agent is offered', async () => {
    const path = join(folder, 'config.json')
    const config = JSON.parse(await readFile(path, 'utf8')) as { server: object }
    const server = { ...config.server, mcp_tools: 'careful' }
    await writeFile(path, JSON.stringify({ ...config, server }))
    const calling = { name: 'calculate', arguments: { expression: '6 * 7' } }
    {
      await using connected = await connect('auto')
      const result = await connected.client.callTool(calling)
      expect(result.structuredContent).to.deep.include({ result: '42' })
    }
    await using connected = await connect('auto', ['--agent', 'slow'])
    const { tools } = await connected.client.listTools()
    expect(tools.map(({ name }) => name)).to.deep.equal(['slow'])
  })

  it('offers a model that the config does not name, by its name', async () => {
    const config = join(folder, 'config.json')
    await writeFile(config, JSON.stringify({ plugins: [join(ROOT, 'providers', 'scripted')] }))
    await using connected = await connect('auto', ['--agent', 'scripted-1'])
    const { tools } = await connected.client.listTools()
    expect(tools.map(({ name }) => name)).to.deep.equal(['scripted-1'])
  })

  it('says which agents there are, if it is told another', async () => {
    const child = spawn(process.execPath, argsOf(['--agent', 'nobody']), {
      cwd: folder,
      env: environment(),
    })
    let err = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    const [status] = await once(child, 'close')
    expect(status).to.equal(2)
    expect(err).to.include(
      'The server has no agent or model "nobody"; it has quick, quick-plain, slow, slow-plain, careful, careful-plain.',
    )
  })

  it('ends when its input ends, and at a signal', async () => {
    const first = start()
    first.stdin?.end()
    expect(await once(first, 'close')).to.deep.equal([0, null])
    const second = start()
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
    second.stdin?.write(`${JSON.stringify(body)}\n`)
    await once(second.stdout!, 'data')
    second.kill('SIGTERM')
    expect(await once(second, 'close')).to.deep.equal([0, null])
  })

  it('ends at a message that is too large, and survives what is no message', async () => {
    const child = start()
    child.stdin?.on('error', () => undefined)
    child.stdin?.write('no json\n{"jsonrpc":"2.0"}\n[]\n')
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    child.stdin?.write(`${JSON.stringify(ping)}\n`)
    const [answer] = await once(child.stdout!, 'data')
    expect(JSON.parse(String(answer).trim().split('\n').at(-1) ?? '')).to.include({ id: 1 })
    child.stdin?.write('a'.repeat(11 << 20))
    expect(await once(child, 'close')).to.deep.equal([0, null])
  })
})
