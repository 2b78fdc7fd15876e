import { expect } from 'chai'
import type { Host } from '../../../src/core/host/index.ts'
import { expectLinear, toldGrowth } from '../../helpers/doubling.ts'
import { mcpHost, rawServer } from './mcp-host.ts'

/** The milliseconds of the fastest of many tries: others on the machine only make a try slower. */
async function fastestOf(work: () => Promise<unknown>, tries = 60): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let time = 0; time < tries; time++) {
    const begunAt = performance.now()
    await work()
    fastest = Math.min(fastest, performance.now() - begunAt)
  }
  return fastest
}

describe('a resolution with MCP servers', function () {
  this.timeout(300_000)
  const hosts: Host[] = []
  const hostOf = async (servers: object, more: object = {}) => {
    const host = await mcpHost(servers, more)
    hosts.push(host)
    return host
  }
  const openOn = (host: Host) => async () => (await host.open()).end()
  after(() => Promise.all(hosts.map((host) => host.close())))

  it('takes time that grows as the tools do', async () => {
    const growth = await expectLinear({
      name: 'tools of an MCP server',
      sizes: [1_000, 2_000, 4_000],
      make: async (count) => {
        const open = openOn(await hostOf({ many: rawServer('many', String(count)) }))
        return async () => {
          for (let time = 0; time < 4; time++) await open()
        }
      },
    })
    process.stdout.write(`      ${toldGrowth(growth)}\n`)
  })

  it('takes no longer for 50 servers of which none is used than for none', async () => {
    const servers = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`server_${at}`, rawServer('many', '20', String(at))]),
    )
    const none = await fastestOf(openOn(await hostOf({})))
    const unused = await fastestOf(openOn(await hostOf(servers, { use: [] })))
    process.stdout.write(`      ${none.toFixed(3)} ms, ${unused.toFixed(3)} ms\n`)
    expect(unused).to.be.below(none + 0.1)
  })
})
