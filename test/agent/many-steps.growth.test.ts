import { expect } from 'chai'
import { type RunOptions, run, systemEnvironment } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { expectLinear, toldGrowth } from '../helpers/doubling.ts'
import { heldBytes } from '../helpers/garbage.ts'

const OWNER = 'ada'
const SIZES = [250, 500, 1000] as const
/** How many runs are held at once, so that what the process itself takes and frees meanwhile counts little. */
const HELD = 8

const TEXT = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'The next step.' },
  { type: 'text-end', id: 't' },
]

/** A provider that calls a tool in each of so many steps, and then is done. */
function steadyProvider() {
  let left = 0
  const provider = {
    kind: 'provider',
    name: 'steady',
    getModels: () => ['m'],
    getTags: () => ['tools'],
    async *stream() {
      const isLast = left-- <= 0
      yield isLast
        ? TEXT
        : [
            ...TEXT,
            { type: 'tool-call-start', id: `c${left}`, name: 'look' },
            { type: 'tool-call-end', id: `c${left}`, input: { at: left } },
          ]
    },
  } as const
  return { provider, take: (steps: number) => (left = steps) }
}

const look = {
  name: 'look',
  description: 'Looks',
  input_schema: { type: 'object' },
  safety: { is_read_only: true },
  execute: () => 'something was seen',
}

const stateful = {
  kind: 'feature',
  name: 'stateful',
  stateKeys: { steps: { merge: 'sum', initial: 0 } },
  stepEnd: () => ({ state: { steps: 1 } }),
} as const

describe('a run of many steps', function () {
  this.timeout(300_000)
  let host: Host
  let take: (steps: number) => void
  before(async () => {
    const steady = steadyProvider()
    take = steady.take
    host = await createHost({ plugins: [steady.provider, stateful] })
  })
  after(() => host.close())

  const optionsFor = (steps: number, more: Partial<RunOptions> = {}): RunOptions => ({
    config: { provider: 'steady' },
    messages: 'Look',
    tools: [look],
    maxSteps: steps + 1,
    ...more,
  })

  /** Runs so many steps, and returns all that it told. */
  async function direct(steps: number) {
    take(steps)
    const events: unknown[] = []
    const stream = run(host, optionsFor(steps))
    for await (const event of stream) events.push(event)
    const result = await stream.result
    if (result.error) throw result.error
    expect(result.steps).to.equal(steps + 1)
    return { events, result }
  }

  /** Runs so many steps over a storage, as a server does. Returns the storage. */
  async function stored(steps: number): Promise<Storage> {
    take(steps)
    const storage = memoryStorage()
    const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
    await storage.conversations.create({ id: 't', owner: OWNER, agent: 'a', sender: OWNER }, 1)
    await log.start({
      run: { id: 'r', owner: OWNER, order: {}, conversationId: 't' },
      open: (_, { signal, committed }) =>
        run(host, optionsFor(steps, { runId: 'r', signal, committed })),
    })
    let last: string | undefined
    for await (const page of log.read(OWNER, 'r')) last = page.at(-1)?.type
    expect(last).to.equal('finish')
    await log.close()
    return storage
  }

  for (const [name, act] of [
    ['without a storage', direct],
    ['over a storage', stored],
  ] as const) {
    it(`takes time that grows as they do, ${name}`, async () => {
      const growth = await expectLinear({
        name: `steps ${name}`,
        sizes: SIZES,
        make: (steps) => () => act(steps),
      })
      process.stdout.write(`      ${toldGrowth(growth)}\n`)
    })

    it(`takes memory that grows as they do, ${name}`, async () => {
      const bytes: number[] = []
      // What earlier tests left is collected with the first of these.
      for (const steps of [SIZES[0], ...SIZES]) {
        const before = await heldBytes()
        const held: unknown[] = []
        for (let time = 0; time < HELD; time++) held.push(await act(steps))
        bytes.push(((await heldBytes()) - before) / HELD)
        expect(held).to.have.length(HELD)
      }
      const each = SIZES.map((steps, index) => Math.round((bytes[index + 1] ?? 0) / steps))
      process.stdout.write(`      bytes a step: ${each.join(', ')}\n`)
      expect(each.at(-1)).to.be.below(1.3 * (each[1] ?? 0))
    })
  }

  it('stores as much for each step, however many there are', async () => {
    const sizes: number[] = []
    for (const steps of SIZES) {
      const storage = await stored(steps)
      sizes.push((await storage.usage(OWNER)).bytes)
    }
    const [small = 0, middle = 0, large = 0] = sizes
    process.stdout.write(`      stored: ${sizes.map((size) => `${size} bytes`).join(', ')}\n`)
    expect((large - middle) / (middle - small)).to.be.within(1.9, 2.1)
  })
})
