import { apart } from './apart.ts'
import { cpuOf, median, type Row } from './measure.ts'
import { ASKING, AT_ONCE } from './sides/asking.ts'
import { partsAgent } from './sides/parts.ts'

/** How many subagents a root has. */
const SIZES = [250, 500, 1000, 2000]
const SIZE = 1000
const WARM_UP = 5
const ROUNDS = 15
/** Thousands of runs compile the code of an agent; each repeat is eight of them. */
const SCHEDULE = { warmUp: 400, repeats: 50, turns: 15 }

/** The CPU of an agent that asks another one, beside that of peers, and of a subagent among many of one root. */
export async function subagents(): Promise<readonly Row[]> {
  return [...(await asked()), ...(await given())]
}

async function asked(): Promise<readonly Row[]> {
  const all = await apart({ kind: 'agent that asks another', url: '' }, 'cpu', SCHEDULE)
  const rows = all.map((row) => ({ ...row, value: row.value / AT_ONCE }))
  const of = (name: string) => rows.find(({ what }) => what === name)?.value ?? Number.NaN
  const group = `a task given to another agent, ${AT_ONCE} at once, CPU`
  return [
    ...rows.map((row) => ({ ...row, group })),
    ...ASKING.map(([agent, alone]) => ({
      group: 'of it, without the requests',
      what: agent,
      value: of(agent) - of(alone),
      unit: 'µs' as const,
    })),
  ]
}

/** The parts of one root, and the same parts as runs without a root: the difference is what the root does for each. */
async function given(): Promise<readonly Row[]> {
  const agent = await partsAgent()
  for (let round = 0; round < WARM_UP; round++) {
    await agent.give(SIZE, AT_ONCE)
    await agent.alone(SIZE, AT_ONCE)
  }
  const before = heap()
  const group = `a subagent of one root, ${AT_ONCE} at once, CPU`
  const rows: Row[] = []
  for (const size of SIZES) {
    const samples: { readonly whole: number; readonly own: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const whole = (await cpuOf(() => agent.give(size, AT_ONCE))) / size
      const alone = (await cpuOf(() => agent.alone(size, AT_ONCE))) / size
      samples.push({ whole, own: whole - alone })
    }
    const of = (measured: 'whole' | 'own') => median(samples.map((sample) => sample[measured]))
    rows.push(
      { group, what: `${size} subagents`, value: of('whole'), unit: 'µs' },
      {
        group: 'of it, spawning and collecting',
        what: `${size} subagents`,
        value: of('own'),
        unit: 'µs',
      },
    )
  }
  const kept = (heap() - before) / 1024
  await agent.close()
  return [
    ...rows,
    { group: 'heap kept after all subagents', what: 'braidwork', value: kept, unit: 'kB' },
  ]
}

function heap(): number {
  for (let time = 0; time < 5; time++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
