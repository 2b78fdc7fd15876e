import { run } from '../../src/agent/index.ts'
import { createHost } from '../../src/index.ts'
import { expectLinear, toldGrowth } from '../helpers/doubling.ts'

const LIMITS = { answer_calls: 1_000_000, answer_parts: 1_000_000 }
const DONE = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'done' },
  { type: 'text-end', id: 't' },
]

function callsOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => [
    { type: 'tool-call-start', id: `c${index}`, name: 'look' },
    { type: 'tool-call-end', id: `c${index}`, input: {} },
  ]).flat()
}

describe('a run of many calls', function () {
  this.timeout(300_000)

  for (const isSafe of [false, true]) {
    const how = isSafe ? 'together' : 'one after the other'
    it(`takes time that grows as they do, ${how}`, async () => {
      let answers: (readonly object[])[] = []
      const provider = {
        kind: 'provider',
        name: 'many',
        getModels: () => ['m'],
        getTags: () => ['tools'],
        async *stream() {
          yield answers.shift() ?? DONE
        },
      } as const
      await using host = await createHost({ plugins: [provider] })
      const look = {
        name: 'look',
        description: 'Looks',
        input_schema: { type: 'object' },
        safety: { is_concurrency_safe: isSafe },
        execute: () => 'seen',
      }
      const growth = await expectLinear({
        name: `calls that run ${how}`,
        sizes: [2500, 5000, 10_000, 20_000],
        make: (count) => async () => {
          answers = [callsOf(count)]
          const config = { provider: 'many', limits: LIMITS }
          const { error } = await run(host, { config, messages: 'Look', tools: [look] }).result
          if (error) throw error
        },
      })
      process.stdout.write(`      ${toldGrowth(growth)}\n`)
    })
  }
})
