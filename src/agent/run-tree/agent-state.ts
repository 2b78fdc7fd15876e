import type { RunEvent } from '@braidwork/plugin'
import type { RunStatus, StoredRun } from '../storage/index.ts'

/** The states of an agent in a tree, as those see it that wait for it. AL-01, AL-02 */
export type AgentState = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled'

/** The states that may follow each state. AL-01, AL-02 */
const NEXT: { readonly [state in AgentState]: readonly AgentState[] } = {
  pending: ['running', 'cancelled'],
  running: ['paused', 'completed', 'failed', 'cancelled'],
  paused: ['running', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

const STATES: { readonly [status in RunStatus]: AgentState } = {
  active: 'running',
  suspended: 'paused',
  done: 'completed',
  failed: 'failed',
  aborted: 'cancelled',
  interrupted: 'failed',
}

/** The end of one state, and the beginning of the next. AL-03 */
export interface AgentTransition {
  /** The id of the run. */
  readonly id: string
  readonly from: AgentState
  readonly to: AgentState
  /** In milliseconds since 1970. */
  readonly at: number
}

/** The agent of a run, in one of its states. */
export interface TrackedAgent {
  readonly id: string
  readonly state: AgentState
  /** How it came to its state, in order. */
  readonly transitions: readonly AgentTransition[]
}

/** The state of a stored run. */
export function agentState({ status }: Pick<StoredRun, 'status'>): AgentState {
  return STATES[status]
}

/** Whether no other state follows. */
export function isFinalState(state: AgentState): boolean {
  return NEXT[state].length === 0
}

/** An agent that is still to begin. */
export function pendingAgent(id: string): TrackedAgent {
  return Object.freeze({ id, state: 'pending', transitions: [] })
}

/** The agent in its next state. @throws {TypeError} if that state cannot follow. AL-01 */
export function agentMoved(agent: TrackedAgent, to: AgentState, at: number): TrackedAgent {
  const { id, state: from, transitions } = agent
  if (!NEXT[from].includes(to)) {
    throw new TypeError(`An agent that is ${from} cannot become ${to} (run ${id}).`)
  }
  const transition = Object.freeze({ id, from, to, at })
  return Object.freeze({ id, state: to, transitions: [...transitions, transition] })
}

/** The agent of a stored run, as the run's events tell of it. AL-03 */
export function trackedAgent(run: StoredRun, events: readonly RunEvent[]): TrackedAgent {
  let agent = pendingAgent(run.id)
  for (const event of events) agent = movedOn(agent, stateAfter(event), event.at ?? run.startedAt)
  // The end of a run that nobody waits for any more has no event.
  return movedOn(agent, agentState(run), run.endedAt ?? run.startedAt)
}

/** Moves an agent to a state that was told. What failed at its beginning has run, even if no event says so. */
function movedOn(agent: TrackedAgent, to: AgentState | undefined, at: number): TrackedAgent {
  if (to === undefined || to === agent.state) return agent
  const isBegun = NEXT[agent.state].includes(to) || !NEXT[agent.state].includes('running')
  return agentMoved(isBegun ? agent : agentMoved(agent, 'running', at), to, at)
}

/** The state that begins with an event. */
function stateAfter(event: RunEvent): AgentState | undefined {
  switch (event.type) {
    case 'start':
      return 'running'
    case 'finish':
      return event.termination?.reason === 'suspended' ? 'paused' : 'completed'
    case 'error':
      return 'failed'
    case 'abort':
      return 'cancelled'
    default:
      return undefined
  }
}
