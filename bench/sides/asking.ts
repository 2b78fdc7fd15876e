import { createRuntime } from '@braidwork/agent'
import { createHost } from '@braidwork/core'
import type { Side } from '../measure.ts'
import type { AgentPair } from './agents.ts'

/** How many tasks are given at once. */
export const AT_ONCE = 8

/** Typed here: peers are a package of their own, which need not be installed to check these sources. */
interface Peers {
  readonly openAiHandoff: () => AgentPair
  readonly openAiTool: () => AgentPair
  readonly langGraph: () => AgentPair
}

/** Agents that ask another one, each with its model asked as often without agents. */
export const ASKING = [
  ['braidwork, a delegate', 'braidwork, host.stream', () => braidwork()],
  [
    'OpenAI Agents, a handoff',
    'OpenAI Agents, its model twice',
    async () => (await peers()).openAiHandoff(),
  ],
  [
    'OpenAI Agents, an agent as a tool',
    'OpenAI Agents, its model',
    async () => (await peers()).openAiTool(),
  ],
  ['LangGraph, a supervisor', 'LangGraph, its model', async () => (await peers()).langGraph()],
] as const satisfies readonly (readonly [
  agent: string,
  alone: string,
  pairOf: () => Promise<AgentPair>,
])[]

/** Makes the sides, each when it is asked for. */
export function askingSides(): readonly (() => Promise<Side>)[] {
  return ASKING.flatMap(([agent, alone, pairOf]) => [
    async () => atOnce(agent, (await pairOf()).agent),
    async () => atOnce(alone, (await pairOf()).alone),
  ])
}

function atOnce(what: string, run: () => Promise<void>): Side {
  return { what, run: () => Promise.all(Array.from({ length: AT_ONCE }, run)) }
}

type Messages = readonly { readonly role: string }[]
type State = { readonly asks: boolean }

/** A provider that asks the worker, if its agent has one, and then says a word. */
const ASKER = {
  kind: 'provider',
  name: 'asker',
  getModels: () => ['m'],
  getTags: () => ['text', 'tools', 'history-repair'],
  init: ({ settings }: { settings?: { asker?: State } }): State =>
    settings?.asker ?? { asks: false },
  stream: (messages: Messages, { asks }: State) => {
    const id = 'c'
    if (asks && !messages.some(({ role }) => role === 'tool')) {
      return [
        { type: 'tool-call-start', id, name: 'agent_run_worker' },
        { type: 'tool-call-end', id, input: { prompt: 'Go.' } },
      ]
    }
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: 'Done.' },
      { type: 'text-end', id },
    ]
  },
}

async function braidwork(): Promise<AgentPair> {
  const host = await createHost({ plugins: [ASKER] as never })
  const settings = { asker: { asks: true } }
  const agents = [{ id: 'root', delegates: ['worker'], config: { settings } }, { id: 'worker' }]
  const runtime = await createRuntime({ host, agents })
  return {
    agent: async () => {
      const stream = await runtime.run('root', { messages: 'Go.' })
      const { messages } = await stream.result
      const [, result, answer] = messages.map(({ parts: [part] }) => part)
      check(result?.type === 'tool-result' && result.output)
      check(answer?.type === 'text' && answer.text)
    },
    alone: async () => {
      for (let request = 0; request < 3; request++) {
        const { messages } = await host.stream({}, 'Go.').result
        const [part] = messages.flatMap(({ parts }) => parts)
        check(part?.type === 'text' && part.text)
      }
    },
  }
}

function check(said: unknown): void {
  if (said !== 'Done.') throw new Error(`The agent said ${JSON.stringify(said)}.`)
}

async function peers(): Promise<Peers> {
  return (await import(new URL('./asking-peers.mjs', import.meta.url).href)) as Peers
}
