import { type RunOptions, type RunStream, run } from '@braidwork/agent'
import type { Declared, DeclaredRuntime } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import type { FolderInstructions } from '@braidwork/core/internal'
import { toMessages } from '@braidwork/plugin'
import { declaredAgents } from '../open-runtime.ts'
import { instructionMessages } from './folder-instructions.ts'

/** Who answers in a chat. */
export interface Answering {
  readonly host: Host
  readonly declared: Declared
  /** The id of an agent. Without it, the host's config answers. */
  readonly agent: string | undefined
  readonly instructions: readonly FolderInstructions[]
}

/** Begins an answer, with the instructions of the working directory before the messages. */
export async function openRun(
  { host, declared, agent, instructions }: Answering,
  order: RunOptions,
): Promise<RunStream> {
  if (agent === undefined) {
    const first = instructionMessages(instructions)
    if (first.length === 0) return run(host, order)
    return run(host, { ...order, messages: [...first, ...toMessages(order.messages)] })
  }
  const { runtime } = await runtimeOf({ host, declared, instructions })
  return runtime.run(agent, order)
}

/** The agents of a chat. */
export function runtimeOf({
  host,
  declared,
  instructions,
}: Omit<Answering, 'agent'>): Promise<DeclaredRuntime> {
  const environment = {
    effectiveCwd: () => process.cwd(),
    discoverInstructions: () => instructions,
  }
  return declaredAgents({ host, declared }, { environment })
}
