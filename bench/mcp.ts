import { type ConfigLayer, createHost } from '@braidwork/core'
import mcp from '@braidwork/tool-mcp'
import { rawServer } from '../test/tools/mcp/servers.ts'
import { cpuOf, inTurns, type Row } from './measure.ts'

const PROVIDER = {
  kind: 'provider',
  name: 'p',
  stream: () => [],
  getModels: () => ['m'],
  getTags: () => ['text', 'tools'],
} as const

/** Servers, each with so many tools. */
function servers(count: number, tools: number): object {
  // Different arguments, so that each is a process of its own.
  const entries = Array.from({ length: count }, (_, at) => [
    `server_${at}`,
    rawServer('many', String(tools), String(at)),
  ])
  return Object.fromEntries(entries) as object
}

const MANY = servers(50, 20)
const FIVE = Object.keys(MANY).slice(0, 5)

/** Any plugin that is on has its hooks asked; this one offers as much as servers of which none is used. */
const IDLE = { kind: 'tool', name: 'idle', init: () => ({}), getToolSchemas: () => [] } as const

const IDLE_CASE = 'another plugin without tools'

/** The plugin is off by default: a request turns it on by its name. */
const OFF_CASE = '50 servers, the plugin off for the request'

const CASES: readonly (readonly [what: string, mcp: object | undefined])[] = [
  ['without the plugin', undefined],
  [OFF_CASE, { servers: MANY }],
  [IDLE_CASE, undefined],
  ['50 servers, none used', { servers: MANY, use: [] }],
  ['50 servers, 5 used: 100 tools', { servers: MANY, use: FIVE }],
  ['1 server, 1,000 tools', { servers: servers(1, 1_000) }],
]

const REPEATS = 500
/** Before the first measurement, so that the code is compiled, as it is in a server. */
const WARM_UP = 1_000

/** CPU time of a resolution with the tools on offer, warm: the servers run, and their lists are known. */
export async function mcpServers(): Promise<readonly Row[]> {
  const hosts = await Promise.all(
    CASES.map(async ([what, settings]) => {
      const enabled = what === OFF_CASE ? {} : { enabled_plugins: ['mcp'] }
      const own = { ...enabled, settings: { mcp: settings ?? {} } }
      const config = settings ? (own as ConfigLayer) : {}
      const others = what === IDLE_CASE ? [IDLE] : []
      const plugins = settings ? [PROVIDER, mcp] : [PROVIDER, ...others]
      return { what, host: await createHost({ plugins, config }) }
    }),
  )
  const sides = hosts.map(({ what, host }) => ({
    what,
    run: async () => {
      for (let repeat = 0; repeat < REPEATS; repeat++) (await host.open()).end()
    },
  }))
  for (const { host } of hosts) {
    for (let time = 0; time < WARM_UP; time++) (await host.open()).end()
  }
  const times = await inTurns(sides, cpuOf)
  await Promise.all(hosts.map(({ host }) => host.close()))
  return [...times].map(([what, value]) => ({
    group: 'mcp',
    what,
    value: value / REPEATS / 1_000,
    unit: 'ms',
  }))
}
