import { expect } from 'chai'
import type { Host } from '../../../src/core/host/index.ts'
import { expectLinear, toldGrowth } from '../../helpers/doubling.ts'
import { mcpHost, rawServer } from './mcp-host.ts'

const REPEATS = 50
const MOST_ROUNDS = 200
/** How many times as long servers that nothing uses may take: what a config with them is longer. */
const MOST_TIMES = 1.25

/** Milliseconds of one piece of work, over several. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now()
  for (let time = 0; time < REPEATS; time++) await work()
  return (performance.now() - begunAt) / REPEATS
}

/** The fastest time of each, tried in turn until they show that the second is not slower. */
async function fastestOf(first: () => Promise<unknown>, second: () => Promise<unknown>) {
  let [one, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < MOST_ROUNDS; round++) {
    one = Math.min(one, await timeOf(first))
    other = Math.min(other, await timeOf(second))
    if (round > 10 && other <= MOST_TIMES * one) break
  }
  return [one, other] as const
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
    const withNone = openOn(await hostOf({}))
    const withUnused = openOn(await hostOf(servers, { use: [] }))
    const [none, unused] = await fastestOf(withNone, withUnused)
    process.stdout.write(`      ${none.toFixed(3)} ms, ${unused.toFixed(3)} ms\n`)
    expect(unused).to.be.at.most(MOST_TIMES * none)
  })
})
