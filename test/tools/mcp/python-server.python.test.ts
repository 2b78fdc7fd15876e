import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import type { Host } from '../../../src/core/host/index.ts'
import { pythonWithMcp } from '../../helpers/python-mcp.ts'
import { callOf, callOn, mcpHost } from './mcp-host.ts'

const PROGRAM = join(import.meta.dirname, 'fixtures', 'server.py')

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The last message of a run whose call of a tool asks for a color, and is answered with blue. */
async function answeredIn(host: Host, tool: string, layer: ConfigLayer = {}): Promise<string> {
  const script = [
    { when: { tool }, then: { text: `{{result.${tool}}}` } },
    { then: { tool_calls: [{ name: tool, input: {} }] } },
  ]
  const config = { settings: { ...layer.settings, scripted: { script } } }
  const asked = await run(host, { config, messages: 'Paint.' }).result
  const { suspension } = asked
  const [approval] = suspension?.approvals ?? []
  if (!suspension || !approval) throw new Error(JSON.stringify(asked.messages))
  expect(approval.input).to.deep.include({ question: 'Which color?' })
  const value = { color: 'blue' }
  const verdicts = [{ approvalId: approval.approvalId, approved: true, value }]
  const said = { role: 'user', parts: [{ type: 'text', text: 'Paint.' }] } as const
  const messages = [said, ...asked.messages]
  const done = await run(host, { config, messages, resume: { ...suspension, verdicts } }).result
  return JSON.stringify(done.messages.at(-1))
}

for (const kind of ['stdio', 'http'] as const) {
  describe(`a server of Python's mcp, by ${kind}`, function () {
    this.timeout(360_000)
    let host: Host
    let settings: object
    let child: ChildProcess | undefined

    before(async function () {
      const python = await pythonWithMcp(this)
      if (kind === 'stdio') {
        settings = { command: python, args: [PROGRAM] }
        host = await mcpHost({ py: settings }, { resources: true })
        return
      }
      const port = await freePort()
      child = spawn(python, [PROGRAM, '--http', String(port)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      for await (const text of child.stderr!.setEncoding('utf8')) {
        if (String(text).includes('Uvicorn running')) break
      }
      settings = { url: `http://127.0.0.1:${port}/mcp` }
      host = await mcpHost({ py: settings }, { resources: true })
    })
    after(async () => {
      await host?.close()
      if (!child || child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    })

    it('has its structured content and its errors as results', async () => {
      const { output } = await callOn(host, 'py__add', { a: 40, b: 2 })
      expect(output).to.deep.equal({ sum: 42 })
      const failed = await callOn(host, 'py__fail')
      expect(failed.isError).to.equal(true)
      expect(String(failed.output)).to.include('fail')
    })

    it('tells its progress', async () => {
      using opened = await host.open()
      const told: unknown[] = []
      const onProgress = (one: unknown) => void told.push(one)
      const { output } = await callOf(opened, 'py__count', { to: 3 }, { onProgress })
      expect(output).to.deep.equal({ result: '3 numbers' })
      expect(told).to.deep.include({ progress: 3, total: 3, message: 'number 3' })
    })

    it('CT-31 asks the person in the middle of its call', async () => {
      expect(await answeredIn(host, 'py__paint')).to.include('accept: blue')
    })

    it('asks by its context if the config names the revision that has that', async () => {
      const config = {
        settings: { mcp: { servers: { py: { ...settings, protocol: '2025-11-25' } } } },
      }
      expect(await answeredIn(host, 'py__tint', config)).to.include('accept: blue')
    })

    it('reads its resources', async () => {
      const note = await callOn(host, 'mcp__read', { server: 'py', uri: 'note://1' })
      expect(JSON.stringify(note.output)).to.include('Buy bread.')
    })
  })
}
