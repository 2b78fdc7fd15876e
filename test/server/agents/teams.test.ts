import { expect } from 'chai'
import type { AgentSpec, Storage } from '../../../src/agent/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { type BraidworkServer, createServer, LOCAL } from '../../../src/server/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { agent, speaker, teamOf } from '../../agent/children/team.ts'
import { boss, calls } from '../../agent/teams/led-team.ts'
import { sampledIt } from '../../helpers/cases.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { madeSqlite, memory } from '../../store/backends.ts'
import { chatBody, user } from '../routes/served.ts'
import { askerOf } from './asking.ts'

const OWNER = LOCAL.id

const write = tool('write', {
  getToolSchemas: () => [schema('write')],
  executeTool: () => 'written',
})

/** A member that writes to the context, and then calls a tool for which a person is asked. */
function asking(id: string): AgentSpec {
  const first = calls('write', { key: id, value: `of ${id}`, version: 0 })
  const spec = agent(id, [
    { when: { step: 1 }, then: { tool_calls: [first] } },
    { when: { step: 2 }, then: { tool_calls: [{ name: 'write', input: { path: id } }] } },
    { then: { text: `${id} is done.` } },
  ])
  return { ...spec, config: { ...spec.config, tool_policy: { write: 'ask' } } }
}

for (const [at, backend] of [memory, madeSqlite()].entries()) {
  describe(`a team on a server with storage in ${backend.name}`, () => {
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

    async function serve(agents: readonly AgentSpec[]) {
      const { host, runtime } = await teamOf({ agents, plugins: [write] })
      const made = await createServer({ host, runtime, storage, anonymous: LOCAL })
      server = made
      const ask = askerOf(made)
      const chat = () =>
        ask('/api/chat?sdk=6', chatBody('talk', [user('q', 'go')], { agent: 'boss' }))
      return { ask, chat }
    }

    const outputsOf = async (runId: string) =>
      (await storage.runs.events(OWNER, runId)).flatMap((event: RunEvent) =>
        event.type === 'tool-execution-end' ? [event.result.output] : [],
      )

    test('AL-25 shares a context that is stored with the run of the team, and goes with it', async () => {
      const made = [
        calls('write', { key: 'plan', value: 'west', version: 0 }),
        calls('broadcast', { prompt: 'x' }),
      ]
      const reading = agent('a', [
        { when: { step: 1 }, then: { tool_calls: [calls('read', { key: 'plan' })] } },
        { then: { text: 'I read {{result.team_read_boss.value}}.' } },
      ])
      const { chat } = await serve([boss(made, ['a']), reading])
      const { runId } = await chat()
      expect(await outputsOf(runId)).to.deep.equal([
        { key: 'plan', version: 1 },
        [{ agent: 'a', status: 'done', text: 'I read west.' }],
      ])
      const [shared] = await storage.shared.list(OWNER, runId)
      expect(shared).to.deep.equal({ key: 'plan', value: 'west', version: 1, agent: 'boss' })
      const [child] = (await storage.runs.tree(OWNER, runId)).filter(({ place }) => place)
      expect(child?.place).to.deep.include({ agent: 'a', parentRunId: runId, above: ['boss'] })
      await storage.conversations.delete(OWNER, 'talk')
      expect(await storage.shared.list(OWNER, runId)).to.deep.equal([])
    })

    test('AL-25 keeps the context while members wait for a person', async () => {
      const made = [calls('broadcast', { prompt: 'x' })]
      const { chat, ask } = await serve([
        boss(made, ['a', 'b', 'c']),
        asking('a'),
        asking('b'),
        speaker('c', 'c is done.'),
      ])
      const { runId } = await chat()
      for (const id of ['a', 'b']) {
        const approvals = await storage.approvals.list(OWNER, runId)
        const open = approvals.filter(({ answer }) => !answer)
        expect(open.map(({ input }) => Object(input).question)).to.deep.equal([
          `The agent "${id}" asks to call "write" with {"path":"${id}"}.`,
        ])
        const answer = { answer: { approve: true } }
        const { status, text } = await ask(`/approvals/${open[0]?.id}`, answer)
        expect(status, text).to.equal(200)
        await ask(`/runs/${runId}/events`)
      }
      const [told] = await outputsOf(runId)
      const done = (agent: string) => ({ agent, status: 'done', text: `${agent} is done.` })
      expect(told).to.deep.equal(['a', 'b', 'c'].map(done))
      expect(await storage.shared.list(OWNER, runId)).to.deep.equal(
        ['a', 'b'].map((key) => ({ key, version: 1, agent: key, value: `of ${key}` })),
      )
      const tree = await storage.runs.tree(OWNER, runId)
      expect(tree.map(({ status }) => status)).to.deep.equal(['done', 'done', 'done', 'done'])
    })
  })
}
