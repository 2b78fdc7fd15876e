import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import mcp from '../../../tools/mcp/index.ts'
import { bundledProgram } from '../../helpers/bundled-program.ts'
import { isAlive, waitForEnd } from '../../helpers/processes.ts'
import { callOf, callOn, inventoryOf, mcpHost, rawServer, serversConfig } from './mcp-host.ts'

const HOST_PROGRAM = join(import.meta.dirname, 'fixtures', 'host.ts')

describe('an MCP server that takes its time', function () {
  this.timeout(60_000)
  let host: Host | undefined
  afterEach(() => host?.close())

  async function hostOf(...args: readonly string[]): Promise<Host> {
    host = await mcpHost({ raw: rawServer(...args) })
    return host
  }

  it('floods: 100,000 reports of progress become a few', async () => {
    const reports: unknown[] = []
    using opened = await (await hostOf('flooding')).open()
    const onProgress = (report: unknown) => reports.push(report)
    const { output } = await callOf(opened, 'raw__echo', {}, { onProgress })
    expect(output).to.equal('called echo')
    expect(reports.length).to.be.below(200)
  })

  it('floods: 100,000 lines for the log become a hundred', async () => {
    const lines: object[] = []
    host = await createHost({
      plugins: [scripted, mcp],
      config: serversConfig({ raw: rawServer('logging') }),
      log: (line) => lines.push(line),
    })
    expect(await callOn(host, 'raw__echo')).to.include({ output: 'called echo' })
    expect(lines).to.have.length.within(90, 100)
  })

  it('does not end when it should: it is killed', async () => {
    const raw = await hostOf('stubborn')
    const pid = Number((await callOn(raw, 'raw__echo')).output)
    expect(isAlive(pid)).to.equal(true)
    await raw.close()
    expect(await waitForEnd([pid])).to.deep.equal([])
  })

  it('does not answer: the first resolution waits for it as long as it may, and says so', async () => {
    host = await mcpHost({ away: rawServer('silent'), raw: rawServer() }, { start: 1 })
    const begunAt = performance.now()
    const tools = await inventoryOf(host)
    expect(tools['raw__echo']?.offered).to.equal(true)
    expect(tools['away__unavailable']?.reason).to.match(/did not answer|is still starting/)
    expect(performance.now() - begunAt).to.be.below(5_000)
  })

  it('is killed with the host: nothing is left when the host is killed', async () => {
    const child = spawn(process.execPath, [await bundledProgram(HOST_PROGRAM)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    expect(isAlive(pid)).to.equal(true)
    child.kill('SIGKILL')
    expect(await waitForEnd([pid])).to.deep.equal([])
  })
})
