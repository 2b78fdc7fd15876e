import { expect } from 'chai'
import {
  type AgentState,
  agentMoved,
  pendingAgent,
  type TrackedAgent,
  trackedAgent,
} from '../../../src/agent/index.ts'
import type { StoredRun } from '../../../src/agent/storage/index.ts'
import type { RunEvent, RunEventBody } from '../../../src/plugin/events/index.ts'

/** The states that may follow each state. */
const ALLOWED: { readonly [state in AgentState]: readonly AgentState[] } = {
  pending: ['running', 'cancelled'],
  running: ['paused', 'completed', 'failed', 'cancelled'],
  paused: ['running', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}
const STATES = Object.keys(ALLOWED) as AgentState[]
const PATHS: { readonly [state in AgentState]: readonly AgentState[] } = {
  pending: [],
  running: ['running'],
  paused: ['running', 'paused'],
  completed: ['running', 'completed'],
  failed: ['running', 'failed'],
  cancelled: ['cancelled'],
}

function agentIn(state: AgentState): TrackedAgent {
  return PATHS[state].reduce((agent, to, at) => agentMoved(agent, to, at), pendingAgent('r'))
}

function stored(status: StoredRun['status'], more: Partial<StoredRun> = {}): StoredRun {
  return { id: 'r', owner: 'o', status, order: {}, startedAt: 1, nextSeq: 0, legSeq: 0, ...more }
}

function events(...bodies: readonly RunEventBody[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, runId: 'r', seq, at: 10 * (seq + 1) }))
}

const START: RunEventBody = { type: 'start', requestId: 'q' }
const ended = (reason: 'suspended' | 'natural_end'): RunEventBody => ({
  type: 'finish',
  finishReason: 'stop',
  usage: {},
  messages: [],
  termination: { reason },
})

describe('the state of an agent', () => {
  for (const from of STATES) {
    for (const to of STATES) {
      const id = ['paused', 'cancelled'].some((state) => [from, to].includes(state as AgentState))
        ? 'AL-02'
        : 'AL-01'
      if (ALLOWED[from].includes(to)) {
        it(`${id} ${from} may become ${to}`, () => {
          expect(agentMoved(agentIn(from), to, 9).state).to.equal(to)
        })
      } else {
        it(`${id} ${from} cannot become ${to}, and the error names both`, () => {
          const message = `An agent that is ${from} cannot become ${to} (run r).`
          expect(() => agentMoved(agentIn(from), to, 9)).to.throw(TypeError, message)
        })
      }
    }
  }

  it('AL-03 changes by events {id, from, to}, each with its time, which stay as they are', () => {
    const agent = agentMoved(agentMoved(pendingAgent('r'), 'running', 5), 'failed', 7)
    expect(agent.transitions).to.deep.equal([
      { id: 'r', from: 'pending', to: 'running', at: 5 },
      { id: 'r', from: 'running', to: 'failed', at: 7 },
    ])
    expect(agent.transitions.every(Object.isFrozen)).to.equal(true)
  })

  it('AL-03 is told by the stored events of its run', () => {
    const told = events(START, ended('suspended'), START, ended('natural_end'))
    const { state, transitions } = trackedAgent(stored('done'), told)
    expect(state).to.equal('completed')
    expect(transitions.map(({ to, at }) => [to, at])).to.deep.equal([
      ['running', 10],
      ['paused', 20],
      ['running', 30],
      ['completed', 40],
    ])
  })

  it('is told where a run ended without an event, or could not begin', () => {
    const waited = stored('aborted', { endedAt: 99 })
    expect(
      trackedAgent(waited, events(START, ended('suspended'))).transitions.at(-1),
    ).to.deep.equal({ id: 'r', from: 'paused', to: 'cancelled', at: 99 })
    const error = { code: 'PLUGIN_NOT_FOUND', message: 'gone' }
    const failed = trackedAgent(stored('failed'), events({ type: 'error', error }))
    expect(failed.transitions.map(({ to }) => to)).to.deep.equal(['running', 'failed'])
    const again = events(START, ended('suspended'), { type: 'error', error })
    expect(trackedAgent(stored('failed'), again).transitions.map(({ to }) => to)).to.deep.equal([
      'running',
      'paused',
      'running',
      'failed',
    ])
    expect(trackedAgent(stored('active'), []).state).to.equal('running')
  })
})
