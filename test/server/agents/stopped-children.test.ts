import { expect } from 'chai'
import type { AgentSpec, Storage, StoredRun } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { type BraidworkServer, createServer, LOCAL } from '../../../src/server/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { agent, asks, leader, speaker, type Team, teamOf } from '../../agent/children/team.ts'
import { sampledIt } from '../../helpers/cases.ts'
import { madeSqlite, memory } from '../../store/backends.ts'
import { until } from '../load/local-server.ts'
import { chatBody, user } from '../routes/served.ts'

const OWNER = LOCAL.id
const HANGS = {
  when: { equals: 'x' },
  then: { text: 'I begin', fault: { type: 'stall', after_chunks: 1 } },
}
const SPAWN = { name: 'agent_spawn', input: { tasks: [{ prompt: 'x' }, { prompt: 'y' }] } }

const hanging = (id: string, spec: Partial<AgentSpec> = {}) => agent(id, [HANGS], spec)
const broadcast = { name: 'team_broadcast_leader', input: { prompt: 'x' } }
const toTeam = { name: 'team_run_leader', input: { prompt: 'x' } }

/** Each way to ask an agent that hangs, beside one that answers, and what is told once it is stopped. */
const ASKED: {
  readonly [way: string]: {
    readonly agents: readonly AgentSpec[]
    readonly told: (cancelled: object) => unknown
  }
} = {
  'a subagent': {
    agents: [
      agent(
        'leader',
        [
          { when: { equals: 'go', step: 1 }, then: { tool_calls: [SPAWN] } },
          { when: { equals: 'y' }, then: { text: 'I am y.' } },
          HANGS,
        ],
        { subagents: true },
      ),
    ],
    told: (cancelled) => [
      { agent: 'leader', ...cancelled },
      { status: 'done', text: 'I am y.' },
    ],
  },
  'a member of a team': {
    agents: [
      leader([broadcast], { team: { leader: 'leader', members: ['a', 'b'] } }),
      hanging('a'),
      speaker('b', 'I am b.'),
    ],
    told: (cancelled) => [
      { agent: 'a', ...cancelled },
      { agent: 'b', status: 'done', text: 'I am b.' },
    ],
  },
  'the leader of a team': {
    agents: [
      leader([toTeam], { team: { members: ['a', 'b'] } }),
      hanging('a'),
      speaker('b', 'I am b.'),
    ],
    told: (cancelled) => ({ agent: 'a', leader: 'a', ...cancelled }),
  },
}

for (const [at, backend] of [memory, madeSqlite()].entries()) {
  describe(`runs below a root, with storage in ${backend.name}`, () => {
    const test = sampledIt(2, at)
    let server: BraidworkServer | undefined
    let storage: Storage

    before(() => backend.begin())
    after(() => backend.end())
    beforeEach(async () => {
      storage = await openStorage(backend.place())
    })
    afterEach(async () => {
      await server?.close()
      await storage.close()
      server = undefined
    })

    async function serve(agents: readonly AgentSpec[], more: Partial<Team> = {}) {
      const { host, runtime } = await teamOf({ ...more, agents })
      const made = await createServer({ host, runtime, storage, anonymous: LOCAL })
      server = made
      const ask = async (path: string, method: string, body?: object) => {
        const headers = { 'content-type': 'application/json' }
        const init = { method, ...(body ? { headers, body: JSON.stringify(body) } : {}) }
        const response = await made.fetch(new Request(`http://localhost${path}`, init))
        return { status: response.status, text: await response.text() }
      }
      const chat = ask(
        '/api/chat',
        'POST',
        chatBody('talk', [user('q', 'go')], { agent: 'leader' }),
      )
      return { ask, chat }
    }

    /** The tree, once so many of its runs have said something and hang. The second task of a call does not. */
    async function treeWith(hang: number) {
      let found = await hangingTree()
      await until(async () => {
        found = await hangingTree()
        return found?.leaves.length === hang
      })
      return found as NonNullable<typeof found>
    }

    async function hangingTree() {
      const [root] = await storage.runs.list(OWNER, 'talk')
      if (!root) return undefined
      const tree = await storage.runs.tree(OWNER, root.id)
      const active = tree.filter(
        ({ status, place }) => place && place.task !== 1 && status === 'active',
      )
      const said = await Promise.all(active.map(hasSaid))
      return { root, tree, leaves: active.filter((_, at) => said[at]) }
    }

    const hasSaid = async ({ id }: StoredRun) =>
      (await storage.runs.events(OWNER, id)).some(({ type }) => type === 'text-delta')

    for (const [way, { agents, told }] of Object.entries(ASKED)) {
      test(`AL-06 tell their parent that ${way} was stopped alone, with what it has said`, async () => {
        const { ask, chat } = await serve(agents)
        const { root, leaves } = await treeWith(1)
        expect((await ask(`/runs/${leaves[0]?.id}/stop`, 'POST', {})).status).to.equal(200)
        await chat
        const [output] = (await storage.runs.events(OWNER, root.id)).flatMap((event: RunEvent) =>
          event.type === 'tool-execution-end' ? [event.result.output] : [],
        )
        const message = Object(Array.isArray(output) ? output[0] : output).message
        expect(message).to.be.a('string').and.not.equal('')
        expect(output).to.deep.equal(told({ status: 'cancelled', message, text: 'I' }))
        expect((await storage.runs.load(OWNER, root.id))?.status).to.equal('done')
      })
    }

    test('AL-24 do not begin once their root is stopped, however late they could', async () => {
      let reached: () => void = () => undefined
      let begin: (answer: undefined) => void = () => undefined
      const asked = new Promise<void>((resolve) => {
        reached = resolve
      })
      const late = new Promise<undefined>((resolve) => {
        begin = resolve
      })
      const hook = {
        name: 'late',
        onBeforeRun: (id: string) => {
          if (id === 'leader') return undefined
          reached()
          return late
        },
      }
      const agents = [leader([asks('a', 'x')], { delegates: ['a'] }), speaker('a', 'I am a.')]
      const { ask, chat } = await serve(agents, { hooks: [hook] })
      await asked
      const [root] = await storage.runs.list(OWNER, 'talk')
      expect((await ask(`/runs/${root?.id}/stop`, 'POST', {})).status).to.equal(200)
      await chat
      begin(undefined)
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
      const tree = await storage.runs.tree(OWNER, root?.id ?? '')
      expect(tree.map(({ status }) => status)).to.deep.equal(['aborted'])
    })

    test('AL-24 end when their root is deleted while the leaves work, and leave nothing', async () => {
      const middle = (id: string, ...leaves: readonly string[]) =>
        agent(id, [{ then: { tool_calls: leaves.map((leaf) => asks(leaf, 'x')) } }], {
          delegates: leaves,
        })
      const { ask, chat } = await serve([
        leader([asks('m', 'x'), asks('n', 'x')], { delegates: ['m', 'n'] }),
        middle('m', 'a', 'b'),
        middle('n', 'c', 'd'),
        ...['a', 'b', 'c', 'd'].map((id) => hanging(id)),
      ])
      const { tree } = await treeWith(4)
      expect(tree).to.have.length(7)
      expect((await ask('/api/conversations/talk', 'DELETE')).status).to.be.within(200, 204)
      await chat
      for (let left = server?.activeRuns; left !== 0; left = server?.activeRuns) {
        await new Promise(setImmediate)
      }
      for (const { id } of tree) {
        expect(await storage.runs.load(OWNER, id)).to.equal(undefined)
        expect((await ask(`/runs/${id}/events`, 'GET')).status).to.equal(404)
      }
      expect(await storage.usage(OWNER)).to.include({ bytes: 0, conversations: 0 })
    })
  })
}
