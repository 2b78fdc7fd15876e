import { expect } from 'chai'
import fc from 'fast-check'
import { createRuntime, type RunEvent } from '../../src/agent/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import type { CallerTool } from '../../src/core/tool-schemas/offered-tools.ts'
import { propertyRuns, propertyTimeout } from '../helpers/cases.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { VirtualEnvironment } from '../helpers/virtual-environment.ts'

/** What a model calls: a tool by its number, which takes this many milliseconds and may fail. */
interface PlannedCall {
  readonly tool: number
  readonly delay: number
  readonly fails: boolean
}

/** The calls of each step. */
type Plan = readonly (readonly PlannedCall[])[]

const TOOLS = 4

const plans: fc.Arbitrary<Plan> = fc.array(
  fc.array(
    fc.record({
      tool: fc.nat(TOOLS - 1),
      delay: fc.constantFrom(0, 1, 5, 10, 10, 100, 1000),
      fails: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  { maxLength: 4 },
)

/** A script with one answer for each step of the plan. */
function scriptOf(plan: Plan): readonly object[] {
  const calls = plan.map((step, at) => ({
    when: { step: at + 1 },
    then: {
      text: `Step ${at + 1}.`,
      tool_calls: step.map(({ tool, ...input }) => ({ name: `tool_${tool}`, input })),
    },
  }))
  return [...calls, { then: { text: 'That is all.' } }]
}

/** Tools whose calls take time on the clock of the environment. The first is never run beside another call. */
function toolsOn(environment: VirtualEnvironment): readonly CallerTool[] {
  return Array.from({ length: TOOLS }, (_, at) => ({
    name: `tool_${at}`,
    description: 'Takes its time',
    input_schema: { type: 'object' },
    safety: { is_concurrency_safe: at > 0 },
    execute: async (input: unknown) => {
      const { delay, fails } = input as PlannedCall
      await environment.sleep(delay)
      if (fails) throw new TypeError(`failed after ${delay} ms`)
      return { at: environment.now() }
    },
  }))
}

/** How the events of a run are taken: one after the other, as they come, or not at all. */
type Way = 'read' | 'piped' | 'unread'

describe('two runs of the same agent', () => {
  let host: Host
  before(async () => {
    host = await scriptedHost()
  })
  after(() => host.close())

  /** The events of a run and its result, as JSON. */
  async function linesOf(plan: Plan, way: Way): Promise<readonly string[]> {
    const environment = new VirtualEnvironment()
    const config = { settings: { scripted: { script: scriptOf(plan), delay_ms: 0 } } }
    const runtime = await createRuntime({ host, agents: [{ id: 'worker', config }] })
    const order = { messages: 'Go', environment, tools: toolsOn(environment) }
    const events: RunEvent[] = []
    const stream = await runtime.run('worker', order)
    if (way === 'read') for await (const event of stream) events.push(event)
    if (way === 'piped') await stream.pipeTo((more) => void events.push(...more))
    return [...events, await stream.result].map((one) => JSON.stringify(one))
  }

  it('CT-03 have the same events, byte for byte, if clock and ids are the same', async function () {
    this.timeout(propertyTimeout(120_000))
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const lines = await linesOf(plan, 'read')
        expect(await linesOf(plan, 'read'), 'a second run').to.deep.equal(lines)
        expect(await linesOf(plan, 'piped'), 'a run that nobody pulls').to.deep.equal(lines)
        expect(await linesOf(plan, 'unread'), 'an unread run').to.deep.equal(lines.slice(-1))
      }),
      { numRuns: propertyRuns(200, 40) },
    )
  })
})
