import { expect } from 'chai'
import { type AgentRuntime, createRuntime } from '../../../src/agent/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { expectLinear, toldGrowth } from '../../helpers/doubling.ts'
import { heldBytes } from '../../helpers/garbage.ts'

/** The most tasks of a call of `agent_spawn`. */
const MOST = 100
const AT_ONCE = 8
const MIB = 2 ** 20

const promptOf = (part: number) => `part ${part}`

/** What the agent says next: tasks for the parts that are left of "go N", or the one part that it was asked for. */
function answerTo(messages: readonly Message[]) {
  const [part] = messages.find(({ role }) => role === 'user')?.parts ?? []
  const prompt = part?.type === 'text' ? part.text : ''
  const given = messages.filter(({ role }) => role === 'tool').length * MOST
  const left = Number(/^go (\d+)$/.exec(prompt)?.[1] ?? 0) - given
  const id = `c${given}`
  if (left <= 0) {
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: `${prompt} is done` },
      { type: 'text-end', id },
    ]
  }
  const length = Math.min(MOST, left)
  const tasks = Array.from({ length }, (_, at) => ({ prompt: promptOf(given + at) }))
  return [
    { type: 'tool-call-start', id, name: 'agent_spawn' },
    { type: 'tool-call-end', id, input: { tasks } },
  ]
}

describe('a root of many subagents, eight at a time', function () {
  this.timeout(300_000)
  let host: Host
  let runtime: AgentRuntime
  let working = 0
  let most = 0

  const provider = {
    kind: 'provider',
    name: 'parts',
    getModels: () => ['m'],
    getTags: () => ['text', 'tools'],
    async *stream(messages: readonly Message[]) {
      most = Math.max(most, ++working)
      // The next turn of the event loop: others work meanwhile.
      await new Promise(setImmediate)
      yield answerTo(messages)
      working--
    },
  } as const

  before(async () => {
    host = await createHost({ plugins: [provider] })
    const agents = [{ id: 'root', subagents: true, max_rounds: 100 }]
    runtime = await createRuntime({ host, agents })
  })
  after(() => host.close())

  /** What so many subagents said, in order. */
  async function saidBy(count: number): Promise<readonly string[]> {
    const options = { messages: `go ${count}`, childLimits: { at_once: AT_ONCE } }
    const { error, messages } = await (await runtime.run('root', options)).result
    if (error) throw error
    return messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'tool-result'
          ? (part.output as readonly { readonly text: string }[]).map(({ text }) => text)
          : [],
      ),
    )
  }

  it('AL-20 has what each of 1,000 said, in the order of the tasks', async () => {
    most = 0
    const said = await saidBy(1000)
    expect(said).to.deep.equal(
      Array.from({ length: 1000 }, (_, part) => `${promptOf(part)} is done`),
    )
    expect(most).to.equal(AT_ONCE)
  })

  it('takes time that grows as they do', async () => {
    const growth = await expectLinear({
      name: 'subagents',
      sizes: [250, 500, 1000, 2000],
      make: (count) => () => saidBy(count),
    })
    process.stdout.write(`      ${toldGrowth(growth)}\n`)
  })

  it('gives the memory back', async () => {
    await saidBy(1000)
    const before = await heldBytes()
    for (let time = 0; time < 5; time++) await saidBy(1000)
    const kept = (await heldBytes()) - before
    process.stdout.write(`      kept of 5,000 subagents: ${(kept / MIB).toFixed(2)} MB\n`)
    // Of a subagent, nothing is kept: 5,000 times a listener or a timer would be more.
    expect(kept).to.be.below(MIB)
  })
})
