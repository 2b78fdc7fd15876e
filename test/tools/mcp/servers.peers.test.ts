import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../../../scripts/free-port.ts'
import { run } from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/host/index.ts'
import type { OpenedConfig } from '../../../src/core/host/opened-config.ts'
import { needsPeer } from '../../helpers/peer-scripts.ts'
import { isAlive, waitForEnd } from '../../helpers/processes.ts'
import { callOf, callOn, mcpHost } from './mcp-host.ts'

const PEERS = join(import.meta.dirname, '../../peers/node_modules/@modelcontextprotocol')

/** A published server, started as its users start it. */
function published(name: string, ...args: readonly string[]) {
  return { command: process.execPath, args: [join(PEERS, `server-${name}/dist/index.js`), ...args] }
}

/** The ids of the processes that run a published server. */
async function pidsOf(name: string): Promise<readonly number[]> {
  const { stdout } = spawn('pgrep', ['-f', `server-${name}/dist/index.js`])
  let text = ''
  for await (const piece of stdout.setEncoding('utf8')) text += piece as string
  return text.split('\n').filter(Boolean).map(Number).filter(isAlive)
}

for (const transport of ['stdio', 'streamable HTTP'] as const) {
  describe(`the server "everything" over ${transport}`, function () {
    this.timeout(60_000)
    let host: Host
    let opened: OpenedConfig
    let child: ChildProcess | undefined
    before(async function () {
      needsPeer(this, '@modelcontextprotocol/server-everything')
      host = await mcpHost({
        every: transport === 'stdio' ? published('everything', 'stdio') : await served(),
      })
      opened = await host.open()
    })
    after(async () => {
      opened?.end()
      await host?.close()
      child?.kill('SIGKILL')
      if (child) await once(child, 'exit')
    })

    async function served() {
      const port = await freePort()
      const { command, args } = published('everything', 'streamableHttp')
      child = spawn(command, args, {
        env: { ...process.env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      if (child.stderr) await once(child.stderr, 'data')
      return { type: 'http', url: `http://127.0.0.1:${port}/mcp` }
    }

    it('has its tools called', async () => {
      expect(opened.tools.length).to.be.above(12)
      expect(await callOf(opened, 'every__echo', { message: 'hi' })).to.include({
        output: 'Echo: hi',
      })
      const sum = await callOf(opened, 'every__get-sum', { a: 1, b: 2 })
      expect(sum.output).to.match(/\b3\b/)
      const weather = await callOf(opened, 'every__get-structured-content', { location: 'Chicago' })
      expect(weather.output).to.have.keys('temperature', 'conditions', 'humidity')
    })

    it('gives pictures, and links as artifacts', async () => {
      const { output } = await callOf(opened, 'every__get-tiny-image')
      expect(JSON.stringify(output)).to.include('"mediaType":"image/png"')
      const { artifacts } = await callOf(opened, 'every__get-resource-links', { count: 2 })
      expect(artifacts?.map(({ uri }) => uri.split(':')[0])).to.deep.equal(['demo', 'demo'])
    })

    it('tells its progress, and is cancelled', async () => {
      const reports: unknown[] = []
      const cancel = new AbortController()
      const onProgress = (report: unknown) => {
        reports.push(report)
        if (reports.length === 2) cancel.abort()
      }
      const name = 'every__trigger-long-running-operation'
      const input = { duration: 4, steps: 20 }
      const { error } = await callOf(opened, name, input, { onProgress, signal: cancel.signal })
      expect(reports.slice(0, 2)).to.deep.equal([
        { progress: 1, total: 20 },
        { progress: 2, total: 20 },
      ])
      expect(error?.class).to.equal('canceled')
    })

    it('asks the person, and gets the answer', async () => {
      const name = 'every__trigger-elicitation-request'
      const script = [
        { when: { tool: name }, then: { text: `{{result.${name}}}` } },
        { then: { tool_calls: [{ name, input: {} }] } },
      ]
      const config = { settings: { scripted: { script } } }
      const { suspension, messages } = await run(host, { config, messages: 'go' }).result
      const [approval] = suspension?.approvals ?? []
      if (!suspension || !approval) throw new Error('the run does not wait')
      const value = { name: 'Ada', check: true }
      const verdicts = [{ approvalId: approval.approvalId, approved: true, value }]
      const next = run(host, { config, messages, resume: { ...suspension, verdicts } })
      expect(JSON.stringify((await next.result).messages)).to.include('- Name: Ada')
    })
  })
}

describe('published MCP servers', function () {
  this.timeout(60_000)
  let folder: string
  before(function () {
    needsPeer(this, '@modelcontextprotocol/server-filesystem')
  })
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('write files with "filesystem", within its folder', async () => {
    await using host = await mcpHost({ files: published('filesystem', folder) })
    const path = join(folder, 'a.txt')
    await callOn(host, 'files__write_file', { path, content: 'Bread.' })
    expect(await readFile(path, 'utf8')).to.equal('Bread.')
    const outside = await callOn(host, 'files__read_text_file', { path: '/etc/hostname' })
    expect(outside.output).to.match(/Access denied/)
  })

  it('show pictures with "filesystem" as pictures alone', async () => {
    await using host = await mcpHost({ files: published('filesystem', folder) })
    const path = join(folder, 'a.png')
    await writeFile(path, 'pixels')
    const data = Buffer.from('pixels').toString('base64')
    const { output } = await callOn(host, 'files__read_media_file', { path })
    expect(output).to.deep.equal([{ type: 'file', mediaType: 'image/png', data }])
  })

  it('work in the roots that the config names', async () => {
    const servers = { files: published('filesystem') }
    await using host = await mcpHost(servers, { roots: [folder] })
    // The server asks for roots once it is connected, and refuses calls until it has them.
    let output: unknown = ''
    while (!String(JSON.stringify(output)).includes(folder)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      output = (await callOn(host, 'files__list_allowed_directories')).output
    }
  })

  it('remember with "memory", across a kill in the middle', async () => {
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
    await using host = await mcpHost({ memory: { ...published('memory'), env } })
    const entity = { name: 'Tea', entityType: 'drink', observations: ['It is hot.'] }
    await callOn(host, 'memory__create_entities', { entities: [entity] })
    const pids = await pidsOf('memory')
    expect(pids).to.have.length(1)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    expect(await waitForEnd(pids)).to.deep.equal([])
    let output: unknown
    while (!JSON.stringify(output)?.includes('It is hot.')) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      output = (await callOn(host, 'memory__read_graph')).output
    }
  })

  it('leave no process behind', async () => {
    const host = await mcpHost({
      files: published('filesystem', folder),
      memory: { ...published('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
      every: published('everything', 'stdio'),
    })
    using opened = await host.open()
    expect(opened.tools.length).to.be.above(30)
    const names = ['filesystem', 'memory', 'everything']
    const pids = (await Promise.all(names.map(pidsOf))).flat()
    expect(pids).to.have.length(3)
    await host.close()
    expect(await waitForEnd(pids)).to.deep.equal([])
  })
})
