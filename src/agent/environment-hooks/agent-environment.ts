import type { RunEvent } from '@braidwork/plugin'
import { type Environment, systemEnvironment } from '../environment.ts'
import type { Maybe } from './environment-hook.ts'
import type { InstructionsFile } from './instructions.ts'

/**
 * The surroundings of a runtime: its clock, timers and ids, and what only its program knows. The members of
 * {@link Environment} default to the system's; the others do nothing by default. CT-03
 */
export interface AgentEnvironment extends Partial<Environment> {
  /** Sees each event of each run, in order, after the environment hooks and before the reader. CT-28 */
  onAgentEvent?(agent: string, conversationId: string | undefined, event: RunEvent): unknown
  /** The working directory of a conversation, or of runs without one. The default is none. */
  effectiveCwd?(conversationId: string | undefined): Maybe<string>
  /**
   * The instructions for a working directory, the outermost folder first. They are asked for in each run. The default is
   * each `AGENTS.md` in it and above it, within the folders that a person has trusted. CT-17
   */
  discoverInstructions?(cwd: string): Maybe<readonly InstructionsFile[]>
}

/** The environment with the system's clock, timers and ids where it has none of its own. */
export function completeEnvironment(own: AgentEnvironment = {}): Environment {
  return {
    now: () => own.now?.() ?? systemEnvironment.now(),
    elapsed: () => own.elapsed?.() ?? systemEnvironment.elapsed(),
    sleep: (milliseconds, signal) =>
      own.sleep?.(milliseconds, signal) ?? systemEnvironment.sleep(milliseconds, signal),
    newId: (kind) => own.newId?.(kind) ?? systemEnvironment.newId(kind),
  }
}
