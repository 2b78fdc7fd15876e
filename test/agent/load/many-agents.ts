import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { type AgentRuntime, runtimeBuilder } from '../../../src/agent/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { collect } from '../../helpers/garbage.ts'

/** How many agents run at once, and how many steps each takes. */
export const AGENTS = HAS_ALL_CASES ? 500 : 200
export const STEPS = 5
/** The milliseconds that the model waits before each chunk, and that the slowest tool takes. */
const DELAY = 2
const SLOW = 20

/** What this program prints. */
export interface ManyAgents {
  /** The agents whose results are not what they should be, a sentence each. */
  readonly wrong: readonly string[]
  readonly seconds: number
  /** The milliseconds from the start of all to the end of the agent in the middle, and of the last. */
  readonly median: number
  readonly slowest: number
  /** The bytes of the heap after all has been collected, beyond those before the agents ran. */
  readonly heap: number
}

const TOOLS = ['double', 'name', 'wait'] as const
type Input = { readonly agent: number; readonly step: number }

/** What each tool returns. */
const OUTPUTS: { readonly [T in (typeof TOOLS)[number]]: (input: Input) => string } = {
  double: ({ agent, step }) => `${2 * agent + step}`,
  name: ({ agent, step }) => `agent ${agent} at ${step}`,
  wait: ({ agent, step }) => `waited for ${agent} at ${step}`,
}

/** Calls all tools in each step but the last. */
function scriptOf(agent: number): readonly object[] {
  const calls = (step: number) => TOOLS.map((name) => ({ name, input: { agent, step } }))
  const steps = Array.from({ length: STEPS - 1 }, (_, index) => index + 1)
  return [
    ...steps.map((step) => ({ when: { step }, then: { tool_calls: calls(step) } })),
    { then: { text: `Agent ${agent} is done.` } },
  ]
}

async function runtimeOfAll(): Promise<AgentRuntime> {
  const builder = runtimeBuilder({}).withProvider('scripted')
  for (const name of TOOLS) {
    builder.withTool({
      name,
      description: `The tool ${name}.`,
      input_schema: { type: 'object' },
      safety: { is_concurrency_safe: true },
      execute: async (input) => {
        if (name === 'wait') await sleep(SLOW)
        return OUTPUTS[name](input as Input)
      },
    })
  }
  for (let agent = 0; agent < AGENTS; agent++) {
    const scripted = { delay_ms: DELAY, script: scriptOf(agent) }
    const system_prompt = `You are agent ${agent}.`
    builder.withAgent({ id: `a${agent}`, system_prompt, config: { settings: { scripted } } })
  }
  return builder.build()
}

/** What is wrong with the messages of an agent. */
function faultOf(agent: number, messages: readonly Message[]): string | undefined {
  const parts = messages.flatMap((message) => message.parts)
  const outputs = parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
  const expected = Array.from({ length: STEPS - 1 }, (_, index) =>
    TOOLS.map((name) => OUTPUTS[name]({ agent, step: index + 1 })),
  ).flat()
  const last = parts.at(-1)
  const text = last?.type === 'text' ? last.text : ''
  const isRight = JSON.stringify(outputs) === JSON.stringify(expected)
  if (isRight && text === `Agent ${agent} is done.`) return undefined
  return `a${agent}: ${JSON.stringify(outputs)}, and then "${text}"`
}

/** Runs all agents at once. Returns the milliseconds that each took, and what is wrong. */
async function runAll(runtime: AgentRuntime, count: number) {
  const since = performance.now()
  const wrong: string[] = []
  const times = await Promise.all(
    Array.from({ length: count }, async (_, agent) => {
      const stream = await runtime.run(`a${agent}`, { messages: 'Go.' })
      const { messages, error } = await stream.result
      const fault = error ? `a${agent}: ${error.message}` : faultOf(agent, messages)
      if (fault) wrong.push(fault)
      return performance.now() - since
    }),
  )
  return { times: times.toSorted((left, right) => left - right), wrong }
}

/** The bytes of the heap, once nothing more can be collected. */
async function heap(): Promise<number> {
  for (let round = 0; round < 10; round++) {
    await turn()
    collect()
  }
  return process.memoryUsage().heapUsed
}

async function measured(): Promise<ManyAgents> {
  const runtime = await runtimeOfAll()
  await runAll(runtime, 20)
  const before = await heap()
  const since = performance.now()
  const { times, wrong } = await runAll(runtime, AGENTS)
  const seconds = (performance.now() - since) / 1000
  const median = times[Math.floor(times.length / 2)] ?? 0
  const slowest = times.at(-1) ?? 0
  times.length = 0
  const after = await heap()
  await runtime.close()
  return { wrong, seconds, median, slowest, heap: after - before }
}

if (process.argv[2] === 'run') process.stdout.write(JSON.stringify(await measured()))
