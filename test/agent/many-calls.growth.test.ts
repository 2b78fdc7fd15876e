import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { createHost } from '../../src/core/index.ts'
import { expectLinear, toldGrowth } from '../helpers/doubling.ts'

const LIMITS = { answer_calls: 1_000_000, answer_parts: 1_000_000 }
const DONE = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'done' },
  { type: 'text-end', id: 't' },
]

function callsOf(count: number, nameOf = (_: number): string => 'look'): readonly object[] {
  return Array.from({ length: count }, (_, index) => [
    { type: 'tool-call-start', id: `c${index}`, name: nameOf(index) },
    { type: 'tool-call-end', id: `c${index}`, input: {} },
  ]).flat()
}

function eventsProvider(next: () => readonly object[]) {
  return {
    kind: 'provider',
    name: 'many',
    getModels: () => ['m'],
    getTags: () => ['tools'],
    async *stream() {
      yield next()
    },
  } as const
}

describe('a run of many calls', function () {
  this.timeout(300_000)

  it('of tools that there are not takes time that grows as they do, beside as many that there are', async () => {
    let answers: (readonly object[])[] = []
    const provider = eventsProvider(() => answers.shift() ?? DONE)
    await using host = await createHost({ plugins: [provider] })
    const look = { description: 'Looks', input_schema: { type: 'object' }, execute: () => 'seen' }
    await expectLinear({
      name: 'calls of unknown tools',
      sizes: [150, 300, 600],
      make: (count) => {
        const tools = Array.from({ length: 4 * count }, (_, at) => ({
          ...look,
          name: `look_at_it_${at}`,
        }))
        return async () => {
          answers = [callsOf(count, (at) => `lok_at_it_${at}`)]
          const given = { config: { provider: 'many' }, messages: 'Look', tools }
          const { error, messages } = await run(host, given).result
          if (error) throw error
          expect(JSON.stringify(messages).length / count).to.be.below(3000)
        }
      },
    })
  })

  for (const isSafe of [false, true]) {
    const how = isSafe ? 'together' : 'one after the other'
    it(`takes time that grows as they do, ${how}`, async () => {
      let answers: (readonly object[])[] = []
      const provider = eventsProvider(() => answers.shift() ?? DONE)
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
