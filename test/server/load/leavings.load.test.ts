import { getEventListeners, once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import type { Tool } from '../../../src/plugin/index.ts'
import { ofCommit } from '../../helpers/cases.ts'
import { type LocalServer, localServer, until } from './local-server.ts'
import { LOAD_PROTOCOLS, type LoadProtocol } from './protocols.ts'
import { textOf } from './stamps.ts'

const RUNS = 200
const PROTOCOLS = ofCommit(
  LOAD_PROTOCOLS.map(({ name }) => name),
  2,
)
/** Requests that are open at once. */
const TOGETHER = 20

/** How a client ends: having read all, having read something, or before there was anything to read. */
const WAYS = ['reads to the end', 'leaves in the middle', 'leaves at once'] as const

type Counts = { readonly [name: string]: number }

/** What of sockets, timers and the like is open, by name. */
function resources(): Counts {
  const counts: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/**
 * What there is more of than before, by as many as one way of ending would leave if each run left one: the whole
 * process is counted, and what others opened before this may come and go by a few.
 */
function addedTo(before: Counts): readonly string[] {
  const now = Object.entries(resources())
  return now.flatMap(([name, count]) => {
    const added = count - (before[name] ?? 0)
    return added * 2 * WAYS.length >= RUNS ? [`${name}: ${added} more`] : []
  })
}

/** A tool that is told of the signal that a host closes with, where a door outside a request asks for its schemas. */
class Witness {
  closing: AbortSignal | undefined
  readonly plugin: Tool = {
    kind: 'tool',
    name: 'witness',
    getToolSchemas: (_, context) => {
      this.closing = context.signal
      return []
    },
    executeTool: () => '',
  }
}

describe('what runs leave behind', () => {
  let local: LocalServer
  let witness: Witness
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

  beforeEach(async () => {
    const script = [{ then: { text: textOf(6) } }]
    witness = new Witness()
    local = await localServer([scripted, witness.plugin], {
      provider: 'scripted',
      settings: { scripted: { script, delay_ms: 1 } },
    })
  })

  afterEach(() => local.close())

  function ask({ path, body }: LoadProtocol, id: string): ClientRequest {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const asked = request(`${local.url}${path}`, { method: 'POST', agent, headers })
    return asked.on('error', () => undefined).end(JSON.stringify(body(id)))
  }

  async function run(protocol: LoadProtocol, index: number): Promise<void> {
    const asked = ask(protocol, `run-${index}`)
    const way = WAYS[index % WAYS.length]
    if (way === 'leaves at once') {
      await once(asked, 'finish')
      asked.destroy()
      return
    }
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(response.statusCode).to.equal(200)
    response.on('error', () => undefined)
    // An answer that is there at once would be over by the turn after its first piece: its end is waited for before.
    await (way === 'reads to the end' ? once(response.resume(), 'end') : once(response, 'data'))
    if (way === 'leaves in the middle') response.destroy()
  }

  for (const protocol of LOAD_PROTOCOLS.filter(({ name }) => PROTOCOLS.includes(name))) {
    it(`is nothing after ${RUNS} of ${protocol.name}, whether their clients stay or leave`, async () => {
      const warnings: Error[] = []
      const onWarning = (warning: Error) => void warnings.push(warning)
      process.on('warning', onWarning)
      // What is loaded by the first ones stays.
      for (let index = 0; index < WAYS.length; index++) await run(protocol, -1 - index + 3)
      await until(() => local.server.activeRuns === 0)
      await local.host.toolSchemas()
      const closing = witness.closing as AbortSignal
      const listeners = getEventListeners(closing, 'abort').length
      const before = resources()

      for (let begun = 0; begun < RUNS; begun += TOGETHER) {
        const some = Array.from({ length: TOGETHER }, (_, at) => run(protocol, 1000 + begun + at))
        await Promise.all(some)
      }
      await until(() => local.server.activeRuns === 0)
      await until(() => addedTo(before).length === 0).catch(() => undefined)
      expect(addedTo(before)).to.deep.equal([])
      expect(getEventListeners(closing, 'abort')).to.have.length(listeners)
      process.off('warning', onWarning)
      expect(warnings).to.deep.equal([])
    }).timeout(30_000)
  }
})
