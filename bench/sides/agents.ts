import { run } from '@braidwork/agent'
import { createHost } from '@braidwork/core'
import type { Side } from '../measure.ts'
import { CALLER, configOf, WRITE } from './caller.ts'

/** An agent, and its model asked as often without an agent. */
export interface AgentPair {
  readonly agent: () => Promise<void>
  readonly alone: () => Promise<void>
}

/** Typed here: peers are a package of their own, which need not be installed to check these sources. */
interface Peers {
  readonly aiSdk: (calls: number) => AgentPair
  readonly langChain: (calls: number) => AgentPair
}

/** The sides of a comparison of agents, in pairs: an agent, then its model asked as often without it. */
export const AGENTS = [
  ['braidwork, run', 'braidwork, host.stream', (calls) => braidwork(calls)],
  ['AI SDK, ToolLoopAgent', 'AI SDK, its model', async (calls) => (await peers()).aiSdk(calls)],
  [
    'LangChain, createAgent',
    'LangChain, its model',
    async (calls) => (await peers()).langChain(calls),
  ],
] as const satisfies readonly (readonly [
  agent: string,
  alone: string,
  pairOf: (calls: number) => Promise<AgentPair>,
])[]

/** Makes the sides, each when it is asked for. @param calls the calls that an agent makes, one a step */
export function agentSides(calls: number): readonly (() => Promise<Side>)[] {
  return AGENTS.flatMap(([agent, alone, pairOf]) => [
    async () => ({ what: agent, run: (await pairOf(calls)).agent }),
    async () => ({ what: alone, run: (await pairOf(calls)).alone }),
  ])
}

async function braidwork(calls: number): Promise<AgentPair> {
  const host = await createHost({ plugins: [CALLER, WRITE] as never, config: configOf(calls) })
  const answering = await createHost({ plugins: [CALLER, WRITE] as never, config: configOf(0) })
  return {
    agent: async () => {
      const { status, error } = await run(host, { messages: 'Go.' }).result
      if (status !== 'done') throw new Error(`The run ended as ${status}.`, { cause: error })
    },
    alone: async () => {
      for (let request = 0; request <= calls; request++) await answering.stream({}, 'Go.').result
    },
  }
}

async function peers(): Promise<Peers> {
  return (await import(new URL('./agent-peers.mjs', import.meta.url).href)) as Peers
}
