import { settle } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Environment } from '../environment.ts'
import type { Storage } from '../storage/index.ts'
import { type AgentState, agentState, isFinalState } from './agent-state.ts'
import { type TreeAgent, treeBelow } from './run-tree.ts'

/** For how long an agent that has finished is shown, in seconds: an hour, not at all, or for a week. AL-10 */
export const TIMES_TO_LIVE = { hour: 3600, none: 0, week: 7 * 24 * 3600 } as const

/** How often the state of an agent is read that somebody waits for, in milliseconds. */
const POLL = 50

export interface RegistryOptions {
  readonly storage: Pick<Storage, 'runs'>
  /** Whose runs are shown. */
  readonly owner: string
  readonly environment: Pick<Environment, 'now' | 'sleep'>
  /** For how many seconds a finished agent is shown. The default is an hour; `Infinity` shows it always. AL-10 */
  readonly timeToLive?: number
}

/** An agent that somebody waits for. */
interface Awaited {
  readonly runId: string
  readonly state: Promise<AgentState>
  /** Stops the reading when all have left. */
  readonly stop: AbortController
  waiters: number
}

/** The agents of an owner's trees. It is a query over stored runs and has no records of its own. AL-04 */
export class AgentRegistry {
  readonly #options: RegistryOptions
  /** The agents that somebody waits for, by the ids of their runs. */
  readonly #awaited = new Map<string, Awaited>()

  constructor(options: RegistryOptions) {
    this.#options = options
  }

  /**
   * A run and those below it, in order of their ids, without those that finished too long ago. AL-08, AL-10
   * @throws {HostError} RUN_UNKNOWN
   */
  async list(runId: string): Promise<readonly TreeAgent[]> {
    const { storage, environment, timeToLive = TIMES_TO_LIVE.hour } = this.#options
    const oldest = environment.now() - timeToLive * 1000
    const all = await treeBelow(await this.#run(runId), storage)
    return all.filter(({ endedAt = Infinity }) => endedAt > oldest)
  }

  /**
   * Calls a function for each agent of a tree, in order of their ids. One that throws keeps it from no other agent.
   * Returns what was thrown. AL-08, AL-09
   * @throws {HostError} RUN_UNKNOWN
   */
  async forEach(
    runId: string,
    act: (agent: TreeAgent) => void | Promise<void>,
  ): Promise<readonly unknown[]> {
    const thrown: unknown[] = []
    for (const agent of await this.list(runId)) {
      try {
        await act(agent)
      } catch (error) {
        thrown.push(error)
      }
    }
    return thrown
  }

  /**
   * Waits until an agent has finished, and returns its last state. Any number may wait for one. AL-21
   * @throws {HostError} RUN_UNKNOWN; ABORTED
   */
  async finished(runId: string, signal?: AbortSignal): Promise<AgentState> {
    const awaited = this.#awaited.get(runId) ?? this.#await(runId)
    awaited.waiters++
    try {
      return await settle(awaited.state, signal ? { signal } : {})
    } finally {
      if (--awaited.waiters === 0) this.#forget(awaited)
    }
  }

  /** Reads the state of an agent for all who wait for it. */
  #await(runId: string): Awaited {
    const stop = new AbortController()
    const state = this.#poll(runId, stop.signal).finally(() => this.#forget(awaited))
    const awaited = { runId, stop, state, waiters: 0 }
    this.#awaited.set(runId, awaited)
    return awaited
  }

  #forget(awaited: Awaited): void {
    awaited.stop.abort()
    if (this.#awaited.get(awaited.runId) === awaited) this.#awaited.delete(awaited.runId)
  }

  async #poll(runId: string, signal: AbortSignal): Promise<AgentState> {
    for (;;) {
      const state = agentState(await this.#run(runId))
      if (isFinalState(state)) return state
      await this.#options.environment.sleep(POLL, signal)
    }
  }

  async #run(runId: string) {
    const { storage, owner } = this.#options
    const run = await storage.runs.load(owner, runId)
    if (run) return run
    throw new HostError('RUN_UNKNOWN', `There is no run "${runId.slice(0, 100)}".`)
  }
}
