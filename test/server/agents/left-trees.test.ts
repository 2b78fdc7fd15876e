import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import type { Storage, StoredRun } from '../../../src/agent/storage/index.ts'
import {
  addUsage,
  EventChecker,
  type RunEvent,
  type Usage,
} from '../../../src/plugin/events/index.ts'
import { type BraidworkServer, createServer, LOCAL } from '../../../src/server/index.ts'
import { ENDPOINT, FakeBackend, said } from '../../agent/backends/fake-backend.ts'
import { agent, asks, type Team, teamOf } from '../../agent/children/team.ts'
import { sampled } from '../../helpers/cases.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { chatBody, user } from '../routes/served.ts'
import { RecordedStorage } from './left-at.ts'

const OWNER = LOCAL.id

const calls = (step: number, ...tool_calls: readonly object[]) => ({
  when: { step },
  then: { text: `Step ${step}.`, tool_calls },
})
const WRITE = { name: 'write', input: { path: 'w' } }
const LOOK = { name: 'look', input: { path: 'w' } }
const spawning = {
  name: 'agent_spawn',
  input: { tasks: [{ prompt: 'part 1' }, { prompt: 'part 2' }] },
}

/** A tree of depth 3: the leader asks a, b and e, a asks c, c asks d, b has subagents, and e fails. */
const TREE: readonly AgentSpec[] = [
  agent(
    'leader',
    [
      calls(1, asks('a', 'x'), asks('b', 'all'), asks('e', 'x')),
      calls(2, WRITE),
      { then: { text: 'a: {{result.agent_run_a}}; b: {{result.agent_run_b}}' } },
    ],
    { delegates: ['a', 'b', 'e'] },
  ),
  agent('e', [calls(1, WRITE), { then: { fault: 'failed' } }]),
  agent('a', [calls(1, asks('c', 'x')), calls(2, WRITE), { then: { text: 'a is done' } }], {
    delegates: ['c'],
  }),
  agent('c', [calls(1, WRITE), calls(2, asks('d', 'x'), LOOK), { then: { text: 'c is done' } }], {
    delegates: ['d'],
  }),
  agent('d', [calls(1, WRITE), { then: { text: 'd is done' } }]),
  agent(
    'b',
    [
      { when: { text: 'all', step: 1 }, then: { tool_calls: [spawning] } },
      { when: { text: 'part', step: 1 }, then: { tool_calls: [WRITE] } },
      { then: { text: 'b is done' } },
    ],
    { subagents: true },
  ),
]

const teamCall = (kind: string) => ({ name: `team_${kind}_leader`, input: { prompt: 'x' } })

/** After how many changes a process is killed: one number of so many. */
function momentsOf({ length }: RecordedStorage, share: number): readonly number[] {
  return sampled(
    Array.from({ length: length - 1 }, (_, at) => at + 2),
    share,
  )
}

/** What the tool `write` did: the run and the call, with the number of changes that were stored before. */
interface Line {
  readonly call: string
  readonly after: number
}

describe('a tree of runs whose server has ended', () => {
  let lines: Line[]
  let stored: () => number
  let close: (() => Promise<void>)[]

  beforeEach(() => {
    lines = []
    stored = () => 0
    close = []
  })
  afterEach(async () => {
    for (const one of close.reverse()) await one()
  })

  const files = tool('files', {
    getToolSchemas: () => [
      schema('write'),
      schema('look', { safety: { is_read_only: true, is_concurrency_safe: true } }),
    ],
    executeTool: (
      { name, callId }: { name: string; callId: string },
      _: unknown,
      context: object,
    ) => {
      const { runId = '' } = context as { readonly runId?: string }
      if (name === 'write') lines.push({ call: `${runId} ${callId}`, after: stored() })
      return name
    },
  })

  async function serve(
    storage: Storage,
    agents: readonly AgentSpec[] = TREE,
    config: object = { on_interrupt: 'resume' },
    options: Partial<Team> = {},
  ): Promise<BraidworkServer> {
    const team = await teamOf({
      ...options,
      agents: agents.map((one) =>
        one.endpoint ? one : { ...one, config: { ...one.config, ...config } },
      ),
      plugins: [files],
    })
    const { host, runtime } = team
    const server = await createServer({ host, runtime, storage, anonymous: LOCAL })
    close.push(async () => {
      await server.close()
      await host.close()
    })
    return server
  }

  async function ask(server: BraidworkServer, path: string, body?: object): Promise<Response> {
    const init = body
      ? {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
      : {}
    const response = await server.fetch(new Request(`http://localhost${path}`, init))
    await response.clone().text()
    return response
  }

  const chat = async (server: BraidworkServer) => {
    const body = chatBody('talk', [user('q', 'go')], { agent: 'leader' })
    return (await ask(server, '/api/chat?sdk=6', body)).headers.get('x-run-id') ?? ''
  }

  /** A tree that no server left, with all that it stored. */
  async function whole(agents = TREE) {
    const recorded = new RecordedStorage()
    stored = () => recorded.length
    const server = await serve(recorded.storage, agents)
    const root = await chat(server)
    return { recorded, root, server }
  }

  /** The runs of a tree, each with its events, which must be in order. */
  async function runsOf(storage: Storage, root: string) {
    const tree = await storage.runs.tree(OWNER, root)
    return Promise.all(
      tree.map(async (run) => {
        const events = await storage.runs.events(OWNER, run.id)
        let checker = new EventChecker('run')
        for (const event of events) {
          // Each leg begins anew.
          if (event.type === 'start') checker = new EventChecker('run')
          checker.check(event)
        }
        expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index))
        return { run, events }
      }),
    )
  }

  const placeOf = ({ place }: StoredRun) =>
    place && JSON.stringify([place.parentRunId, place.parentStep, place.parentCallId, place.task])

  const usageOf = (events: readonly RunEvent[]) => {
    const ending = events.at(-1)
    return ending?.type === 'finish' ? ending.usage : undefined
  }

  /** What the answers of all runs of a tree used. */
  const usedIn = (events: readonly RunEvent[]) =>
    events.reduce(
      (sum: Usage, event) => (event.type === 'step-finish' ? addUsage(sum, event.usage) : sum),
      {},
    )

  /** The calls of the tool `write` whose outcome is told as not known. */
  const unknownIn = (events: readonly RunEvent[]) =>
    events.flatMap((event) =>
      event.type === 'tool-execution-end' && event.error?.class === 'outcome_unknown'
        ? [`${event.runId} ${event.callId}`]
        : [],
    )

  /** What the root was told of the agent that fails. */
  const failureIn = (events: readonly RunEvent[]) =>
    events
      .filter((event) => event.type === 'tool-execution-end')
      .find(({ result }) => result.name === 'agent_run_e')

  it('LT-10 is taken up at every moment: no run and no effect is lost or doubled', async () => {
    const { recorded, root } = await whole()
    const before = [...lines]
    const first = await runsOf(recorded.storage, root)
    expect(first).to.have.length(8)
    const failure = failureIn(first.flatMap(({ events }) => events))
    for (const count of momentsOf(recorded, 12)) {
      const storage = await recorded.at(count)
      lines = before.filter(({ after }) => after <= count)
      const server = await serve(storage)
      await ask(server, `/runs/${root}/events`)
      const runs = await runsOf(storage, root)
      const about = `killed after ${count} of ${recorded.length} changes`
      for (const { run } of runs) {
        expect(run.status, about).to.equal(run.place?.agent === 'e' ? 'failed' : 'done')
      }
      expect(runs, about).to.have.length(8)
      expect(new Set(runs.map(({ run }) => placeOf(run))).size, about).to.equal(8)
      const written = lines.map(({ call }) => call)
      expect(new Set(written).size, about).to.equal(written.length)
      const all = runs.flatMap(({ events }) => events)
      expect(new Set([...written, ...unknownIn(all)]).size, about).to.equal(7)
      expect(usageOf(all.filter(({ runId }) => runId === root)), about).to.deep.equal(usedIn(all))
      const told = failureIn(all)
      expect(told, about).to.deep.include({ state: 'failed', error: failure?.error })
      expect(told?.result.output, about).to.deep.equal(failure?.result.output)
      await close.pop()?.()
    }
  }).timeout(120_000)

  it('LT-10 takes up a team: what its leader and its members had begun', async () => {
    const members = ['first', 'second']
    const lead = (...tool_calls: readonly object[]) => ({ when: { step: 1 }, then: { tool_calls } })
    const agents = [
      agent('leader', [lead(teamCall('run')), { then: { text: 'all done' } }], {
        team: { members: ['head', ...members], leader: 'head' },
      }),
      agent('head', [lead(teamCall('broadcast')), { then: { text: 'head is done' } }]),
      ...members.map((id) => agent(id, [calls(1, WRITE), { then: { text: `${id} is done` } }])),
    ]
    const { recorded, root } = await whole(agents)
    const before = [...lines]
    expect(before).to.have.length(2)
    for (const count of momentsOf(recorded, 8)) {
      const storage = await recorded.at(count)
      lines = before.filter(({ after }) => after <= count)
      const server = await serve(storage, agents)
      await ask(server, `/runs/${root}/events`)
      const runs = await runsOf(storage, root)
      const about = `killed after ${count} of ${recorded.length} changes`
      expect(runs.map(({ run }) => run.place?.agent ?? '').toSorted(), about).to.deep.equal([
        '',
        'first',
        'head',
        'second',
      ])
      expect(
        runs.map(({ run }) => run.status),
        about,
      ).to.deep.equal(runs.map(() => 'done'))
      const written = lines.map(({ call }) => call)
      expect(new Set(written).size, about).to.equal(written.length)
      const all = runs.flatMap(({ events }) => events)
      expect(new Set([...written, ...unknownIn(all)]).size, about).to.equal(2)
      await close.pop()?.()
    }
  }).timeout(120_000)

  const ASKING = { on_interrupt: 'resume', tool_policy: { write: 'ask' } }

  /** The agents of a tree of which d asks before each of its two calls, and a once. */
  const WAITING = [
    agent('leader', [calls(1, asks('a', 'x')), { then: { text: 'all done' } }], {
      delegates: ['a'],
    }),
    agent('a', [calls(1, asks('d', 'x')), calls(2, WRITE), { then: { text: 'a is done' } }], {
      delegates: ['d'],
    }),
    agent('d', [calls(1, WRITE, WRITE), calls(2, WRITE), { then: { text: 'd is done' } }]),
  ]

  /** Approves what the root asks, until it asks no more. */
  async function approveAll(server: BraidworkServer, storage: Storage, root: string) {
    for (;;) {
      await ask(server, `/runs/${root}/events`)
      if ((await storage.runs.load(OWNER, root))?.status !== 'suspended') return
      const open = (await storage.approvals.list(OWNER, root)).filter(({ answer }) => !answer)
      expect(open).to.have.length(1)
      await ask(server, `/approvals/${open[0]?.id}`, { answer: { approve: true } })
    }
  }

  it('AL-23 waits for the person whom it waited for, whatever the moment', async () => {
    const recorded = new RecordedStorage()
    stored = () => recorded.length
    const first = await serve(recorded.storage, WAITING, ASKING)
    const root = await chat(first)
    await approveAll(first, recorded.storage, root)
    const before = [...lines]
    expect(before).to.have.length(4)
    for (const count of momentsOf(recorded, 16)) {
      const storage = await recorded.at(count)
      lines = before.filter(({ after }) => after <= count)
      const server = await serve(storage, WAITING, ASKING)
      await approveAll(server, storage, root)
      const about = `killed after ${count} of ${recorded.length} changes`
      const runs = await runsOf(storage, root)
      expect(
        runs.map(({ run }) => run.status),
        about,
      ).to.deep.equal(['done', 'done', 'done'])
      const all = runs.flatMap(({ events }) => events)
      const written = lines.map(({ call }) => call)
      expect(new Set(written).size, about).to.equal(written.length)
      expect(new Set([...written, ...unknownIn(all)]).size, about).to.equal(4)
      await close.pop()?.()
    }
  }).timeout(120_000)

  /** The storage at the first moment at which so many runs of a tree are active. */
  async function withActive(recorded: RecordedStorage, root: string, count: number) {
    for (let at = 2; at <= recorded.length; at++) {
      const storage = await recorded.at(at)
      const tree = await storage.runs.tree(OWNER, root)
      if (tree.filter(({ status }) => status === 'active').length === count) return storage
    }
    return expect.fail('never so many runs were active')
  }

  /** The last event of each run of a tree, by the agent of the run. */
  async function endingsIn(storage: Storage, root: string) {
    const runs = await runsOf(storage, root)
    return new Map(runs.map(({ run, events }) => [run.place?.agent ?? '', events.at(-1)]))
  }

  const CHAIN = [
    agent('leader', [calls(1, asks('a', 'x')), { then: { text: '{{result.agent_run_a}}' } }], {
      delegates: ['a'],
    }),
    agent('a', [calls(1, asks('d', 'x')), { then: { text: 'a is done' } }], { delegates: ['d'] }),
    agent('d', [calls(1, LOOK), { then: { text: 'd is done' } }]),
  ]

  it('AL-24 ends as a tree where its config says so, the leaves first', async () => {
    const { recorded, root } = await whole(CHAIN)
    const storage = await withActive(recorded, root, 3)
    const ended: string[] = []
    const { end } = storage.runs
    Object.assign(storage.runs, {
      end: (...args: Parameters<typeof end>) => {
        ended.push(args[0].runId)
        return end.apply(storage.runs, args)
      },
    })
    await serve(storage, CHAIN, { on_interrupt: 'end' })
    const runs = await runsOf(storage, root)
    expect(runs.map(({ run }) => run.status)).to.deep.equal(runs.map(() => 'interrupted'))
    const depths = runs.map(({ run }) => [run.id, run.place?.depth ?? 0] as const)
    const deepest = depths.sort((one, other) => other[1] - one[1]).map(([id]) => id)
    expect(ended).to.deep.equal(deepest)
  })

  it('LT-10 is told where a call is not taken up, and no run of the tree is left', async () => {
    const { recorded, root } = await whole(CHAIN)
    const storage = await withActive(recorded, root, 3)
    const [leader, ...others] = CHAIN as [AgentSpec, ...AgentSpec[]]
    const server = await serve(storage, [{ ...leader, delegates: [] }, ...others])
    await ask(server, `/runs/${root}/events`)
    const events = await storage.runs.events(OWNER, root)
    const told = events.find((event) => event.type === 'tool-execution-end')
    expect(told?.error?.class).to.equal('outcome_unknown')
    const endings = await endingsIn(storage, root)
    expect(endings.get('')?.type).to.equal('finish')
    for (const id of ['a', 'd']) {
      expect(endings.get(id))
        .to.deep.include({ type: 'error' })
        .and.nested.include({ 'error.code': 'RUN_INTERRUPTED' })
    }
  })

  it('LT-10 asks no other server again, which may work on it', async () => {
    const asked: string[] = []
    const backend = new FakeBackend({
      async *ask() {
        asked.push('a')
        yield said('a is done')
      },
    })
    const agents = [CHAIN[0] as AgentSpec, { id: 'a', endpoint: ENDPOINT }]
    const options = { backends: [backend] }
    const recorded = new RecordedStorage()
    const first = await serve(recorded.storage, agents, { on_interrupt: 'resume' }, options)
    const root = await chat(first)
    const storage = await withActive(recorded, root, 2)
    const server = await serve(storage, agents, { on_interrupt: 'resume' }, options)
    await ask(server, `/runs/${root}/events`)
    expect(asked).to.deep.equal(['a'])
    const events = await storage.runs.events(OWNER, root)
    const told = events.find((event) => event.type === 'tool-execution-end')
    expect(told?.result.output).to.deep.include({
      agent: 'a',
      status: 'failed',
      code: 'RUN_INTERRUPTED',
    })
    expect((await endingsIn(storage, root)).get('a')?.type).to.equal('error')
  })

  it('AL-24 loses its children to nobody while its root is at work', async () => {
    const { recorded, root } = await whole(CHAIN)
    const storage = await withActive(recorded, root, 3)
    const [child] = (await storage.runs.tree(OWNER, root)).filter(({ place }) => place?.depth === 2)
    // Another process holds the root, and has not come to the child yet.
    await storage.runs.seize(OWNER, root, { holder: 'elsewhere', expiresAt: Date.now() + 60_000 })
    await serve(storage, CHAIN)
    expect((await storage.runs.load(OWNER, child?.id ?? ''))?.status).to.equal('active')
  })
})
