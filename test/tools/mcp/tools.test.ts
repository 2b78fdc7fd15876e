import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { run } from '../../../src/agent/index.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import type { OpenedConfig } from '../../../src/core/host/opened-config.ts'
import mcp from '../../../tools/mcp/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { collect } from '../../helpers/hosts.ts'
import { isAlive, waitForEnd } from '../../helpers/processes.ts'
import {
  callOf,
  callOn,
  inventoryOf,
  keepHosts,
  mcpHost,
  sdkServer,
  serversConfig,
} from './mcp-host.ts'

const ERAS = [
  ['2026-07-28', []],
  ['2025-11-25', ['--era', '2025']],
] as const

for (const [row, [era, args]] of ERAS.entries()) {
  describe(`a tool of an MCP server, over protocol ${era}`, function () {
    this.timeout(20_000)
    let host: Host
    let opened: OpenedConfig
    before(async () => {
      host = await mcpHost({ fx: { ...sdkServer(...args), env: { SECRET: 's-1' } } })
      opened = await host.open()
    })
    after(async () => {
      opened?.end()
      await host?.close()
    })

    it('is called by the name of its server and its own', async () => {
      expect(await callOf(opened, 'fx__echo', { text: 'hi' })).to.include({ output: 'hi' })
    })

    it('has its structured content as its result', async () => {
      const { output } = await callOf(opened, 'fx__sum', { a: 1, b: 2 })
      expect(output).to.deep.equal({ sum: 3 })
    })

    it('shows the model its pictures', async () => {
      const { output } = await callOf(opened, 'fx__picture')
      expect(output).to.have.length(2)
      expect((output as unknown[])[1]).to.include({ type: 'file', mediaType: 'image/png' })
    })

    it('links to resources as artifacts, but never to an address that runs as a program', async () => {
      const { output, artifacts } = await callOf(opened, 'fx__links')
      expect(artifacts).to.deep.equal([
        { uri: 'https://example.org/a', title: 'a', mediaType: 'text/plain', size: 3 },
      ])
      expect(output).to.include('https://example.org/a').and.include('Buy bread.<U+200B>')
      expect(output).to.not.include('alert')
    })

    it('fails with what the server says', async () => {
      const fails = await callOf(opened, 'fx__fails')
      expect(fails).to.include({ output: 'It is full.', isError: true })
      const throws = await callOf(opened, 'fx__throws')
      expect(throws).to.include({ output: 'Broken inside.', isError: true })
    })

    it('gets PATH, HOME, LANG and TMPDIR, and what its config names', async () => {
      const { output } = await callOf(opened, 'fx__environment')
      const known = ['HOME', 'LANG', 'PATH', 'SECRET', 'TMPDIR']
      expect(String(output).split(' ')).to.include.members(['PATH', 'SECRET'])
      expect(known).to.include.members(String(output).split(' '))
    })

    it('tells its progress, and is cancelled with the call', async () => {
      const cancel = new AbortController()
      const reports: unknown[] = []
      const result = await callOf(
        opened,
        'fx__waits',
        {},
        {
          signal: cancel.signal,
          onProgress: (report) => {
            reports.push(report)
            cancel.abort()
          },
        },
      )
      expect(reports).to.deep.equal([{ progress: 1 }])
      expect(result.error).to.include({ class: 'canceled' })
    })

    it('asks the person in the middle of its call, and gets the answer', async () => {
      const script = [
        { when: { tool: 'fx__asks' }, then: { text: '{{result.fx__asks}}' } },
        { then: { tool_calls: [{ name: 'fx__asks', input: {} }] } },
      ]
      const config = { settings: { scripted: { script } } }
      const { suspension, messages } = await run(host, { config, messages: 'go' }).result
      const [approval] = suspension?.approvals ?? []
      expect(approval?.input).to.deep.include({ question: 'Which color?' })
      if (!suspension || !approval) throw new Error('the run does not wait')
      const verdicts = [
        { approvalId: approval.approvalId, approved: true, value: { color: 'blue' } },
      ]
      const next = run(host, { config, messages, resume: { ...suspension, verdicts } })
      expect(JSON.stringify((await next.result).messages)).to.include('accept: blue')
    })

    it('cannot ask where nobody can be asked', async () => {
      expect(await callOf(opened, 'fx__asks')).to.include({ output: 'cancel: nothing' })
    })

    // These start a server each: the default tier tries one of them over each protocol.
    const itSometimes = (start: number) =>
      sampled([era], 2, row + start).length > 0 ? it : () => undefined

    itSometimes(0)('is there again when its server has died in the middle of a call', async () => {
      const died = await callOf(opened, 'fx__dies')
      expect(died.error).to.include({ class: 'dependency_unavailable', retryable: false })
      expect(died.output).to.match(/"fx" ended while the call ran/)
      expect(await callOf(opened, 'fx__echo', { text: 'again' })).to.include({ output: 'again' })
    })

    it('is offered to the next run once its server has told of it', async () => {
      expect(Object.keys(await inventoryOf(host))).to.not.include('fx__grown')
      await callOf(opened, 'fx__grows')
      let names: readonly string[] = []
      while (!names.includes('fx__grown')) {
        await turn()
        names = Object.keys(await inventoryOf(host))
      }
      // LR-17: what was opened before stays as it was.
      expect(opened.toolNamed('fx__grown')).to.equal(undefined)
    })

    itSometimes(1)('writes to the log of the host', async () => {
      const lines: object[] = []
      const log = (line: object) => lines.push(line)
      const plugins = [scripted, mcp]
      await using logged = await createHost({
        plugins,
        config: serversConfig({ fx: sdkServer(...args) }),
        log,
      })
      await callOn(logged, 'fx__logs')
      expect(lines).to.deep.include({
        level: 'warn',
        plugin: 'mcp',
        message: 'MCP server "fx": The shelf is empty.',
      })
    })
  })
}

describe('the marks of an MCP server’s tool', function () {
  this.timeout(20_000)
  const kept = keepHosts()

  it('LR-02 are those of the config; what the server says only takes trust away', async () => {
    const all = { is_read_only: true, is_destructive: false, is_idempotent: true }
    const host = await kept(
      mcpHost({
        plain: sdkServer(),
        marked: { ...sdkServer('--era', '2025'), safety: { '*': all } },
      }),
    )
    const tools = await inventoryOf(host)
    expect(tools['plain__sum']?.safety).to.include({ is_read_only: false, is_destructive: true })
    expect(tools['marked__sum']?.safety).to.include(all)
    expect(tools['plain__sum']?.runtime_owner).to.equal('mcp_server')
  })

  it('do not spare it an approval', async () => {
    const host = await kept(mcpHost({ fx: sdkServer() }))
    const script = [{ then: { tool_calls: [{ name: 'fx__sum', input: { a: 1, b: 2 } }] } }]
    const config = { tool_policy: { fx__sum: 'ask' }, settings: { scripted: { script } } } as const
    const events = await collect(run(host, { config, messages: 'go' }))
    expect(events.map(({ type }) => type)).to.include('approval-required')
  })
})

describe('the process of an MCP server', function () {
  this.timeout(20_000)
  const pidOf = async (opened: OpenedConfig, name: string) =>
    Number((await callOf(opened, name)).output)

  it('is shared by whatever runs the same, under each name', async () => {
    await using host = await mcpHost({ one: sdkServer(), two: sdkServer() })
    await using other = await mcpHost({
      three: sdkServer(),
      own: { ...sdkServer(), env: { A: '1' } },
    })
    using opened = await host.open()
    using others = await other.open()
    const pids = [
      await pidOf(opened, 'one__pid'),
      await pidOf(opened, 'two__pid'),
      await pidOf(others, 'three__pid'),
    ]
    expect(new Set(pids).size).to.equal(1)
    expect(await pidOf(others, 'own__pid')).to.not.equal(pids[0])
  })

  it('ends with its host', async () => {
    const host = await mcpHost({ fx: sdkServer() })
    using opened = await host.open()
    const pid = await pidOf(opened, 'fx__pid')
    expect(isAlive(pid)).to.equal(true)
    await host.close()
    expect(await waitForEnd([pid])).to.deep.equal([])
  })

  it('stays for the calls of another host of the process, and ends after them', async () => {
    await using host = await mcpHost({ fx: sdkServer() })
    using opened = await host.open()
    const pid = await pidOf(opened, 'fx__pid')
    let held: ReturnType<typeof callOf> | undefined
    await new Promise<unknown>((onProgress) => {
      held = callOf(opened, 'fx__holds', {}, { onProgress })
    })
    const other = await mcpHost({ fx: sdkServer() })
    expect(await callOn(other, 'fx__pid')).to.include({ output: String(pid) })
    await other.close()
    await callOf(opened, 'fx__releases')
    expect(await held).to.include({ output: `released in ${pid}` })
    expect(await waitForEnd([pid])).to.deep.equal([])
  })

  it('ends when it is idle, and starts again when it is needed', async () => {
    await using host = await mcpHost({ fx: sdkServer() }, { idle: 1 })
    using opened = await host.open()
    const pid = await pidOf(opened, 'fx__pid')
    expect(await waitForEnd([pid])).to.deep.equal([])
    expect(Object.keys(await inventoryOf(host))).to.include('fx__pid')
    expect(await pidOf(opened, 'fx__pid')).to.not.equal(pid)
  })
})
