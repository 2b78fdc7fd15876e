/**
 * How many facts of a conversation outlive its compaction by a real model: `npm run compaction-quality`. Twenty
 * generated conversations of 80 messages, in each of which the user tells ten facts, are compacted by smollm. A fact is
 * kept if its word is in what the model is shown afterwards. It needs the environment of smollm:
 * `braidwork plugins add ./providers/smollm`.
 */
import { resolve } from 'node:path'
import { type AgentRuntime, createRuntime } from '@braidwork/agent'
import { createHost } from '@braidwork/core'
import { HostError, type Message, textOf } from '@braidwork/plugin'
import { conversationOf, type ToldFact } from './compaction/told-facts.ts'
import { countIn, scriptOptions } from './options.ts'

const SMOLLM = resolve(import.meta.dirname, '..', 'providers', 'smollm')
const CONFIG = { provider: 'smollm', temperature: 0, seed: 1 } as const
const KEEPER = { id: 'keeper', sections: { compaction: { summary_max_tokens: 300 } } }

const { values } = scriptOptions({
  options: { conversations: { type: 'string', default: '20' } },
})
const count = countIn('--conversations', values.conversations)

const host = await createHost({ plugins: [SMOLLM], config: CONFIG })
try {
  const runtime = await createRuntime({ host, agents: [KEEPER] })
  const [used, givenUp] = [
    { count: 0, kept: 0 },
    { count: 0, kept: 0 },
  ]
  for (let seed = 1; seed <= count; seed++) {
    const { messages, facts } = conversationOf(seed)
    const { shown, why } = await compacted(runtime, messages)
    const kept = facts.filter((fact) => isKept(fact, shown)).length
    const sum = why === undefined ? used : givenUp
    sum.count++
    sum.kept += kept
    console.log(`${seed}: ${kept} of ${facts.length} facts${why === undefined ? '' : ` (${why})`}`)
  }
  console.log(`${used.count} compactions used: ${used.kept} of ${10 * used.count} facts kept`)
  console.log(`${givenUp.count} given up: ${givenUp.kept} of ${10 * givenUp.count} facts kept`)
} finally {
  await host.close()
}

interface Compacted {
  /** All that the model is shown afterwards. */
  readonly shown: string
  /** Why the compaction was given up, which leaves the conversation as it is. */
  readonly why?: string
}

async function compacted(runtime: AgentRuntime, messages: readonly Message[]): Promise<Compacted> {
  try {
    const after = await runtime.compact(KEEPER.id, { messages })
    return { shown: after.messages.map(textOf).join('\n') }
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'COMPACTION_FAILED') throw error
    return { shown: messages.map(textOf).join('\n'), why: error.message }
  }
}

function isKept({ word }: ToldFact, shown: string): boolean {
  return new RegExp(`\\b${word}\\b`, 'i').test(shown)
}
