import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { explainRun } from '../../../src/agent/internal.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { type BraidworkServer, createServer, LOCAL } from '../../../src/server/index.ts'
import { asks, leader, speaker, teamOf } from '../../agent/children/team.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { chatBody, user } from '../routes/served.ts'
import { askerOf } from './asking.ts'

const OWNER = LOCAL.id

const write = tool('write', {
  getToolSchemas: () => [schema('write')],
  executeTool: () => 'written',
})

describe('child runs on a server', () => {
  let server: BraidworkServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  async function serve(agents: readonly AgentSpec[], plugins: readonly unknown[] = [write]) {
    const { host, runtime } = await teamOf({ agents, plugins })
    const storage = memoryStorage()
    const made = await createServer({ host, runtime, storage, anonymous: LOCAL })
    server = made
    const ask = askerOf(made)
    const chat = (text: string) =>
      ask('/api/chat?sdk=6', chatBody('talk', [user('q', text)], { agent: 'leader' }))
    return { storage, ask, chat }
  }

  it('AL-04 are stored runs of their owner, each with a link to its parent', async () => {
    const delegates = ['a', 'b']
    const { storage, chat, ask } = await serve([
      leader([asks('a', 'x'), asks('b', 'y')], { delegates }),
      speaker('a', 'I am a.'),
      speaker('b', 'I am b.'),
    ])
    const { runId } = await chat('go')
    const tree = await storage.runs.tree(OWNER, runId)
    const children = tree.filter(({ id }) => id !== runId)
    expect(children.map(({ status }) => status)).to.deep.equal(['done', 'done'])
    expect(children.map(({ place }) => place?.agent).sort()).to.deep.equal(delegates)
    for (const { id, place, conversationId } of children) {
      expect(place).to.deep.include({ parentRunId: runId, rootRunId: runId, depth: 1 })
      expect(conversationId).to.equal(undefined)
      const events = await storage.runs.events(OWNER, id)
      expect(events[0]).to.deep.include({ type: 'start', place })
      expect(events.at(-1)?.type).to.equal('finish')
      expect((await ask(`/runs/${id}/events`)).text).to.match(/I am [ab]\./)
    }
  })

  it('AL-22 are counted in the stored conversation as in the stream, and in what explains their root', async () => {
    const delegates = ['a', 'b']
    const { storage, chat, ask } = await serve([
      leader([asks('a', 'x'), asks('b', 'y')], { delegates }),
      speaker('a', 'I am a.'),
      speaker('b', 'I am b.'),
    ])
    const { runId } = await chat('go')
    const run = (await storage.runs.load(OWNER, runId)) ?? expect.fail('no run')
    const events = await storage.runs.events(OWNER, runId)
    const finish = events.findLast((event) => event.type === 'finish')
    const ends = events.filter((event) => event.type === 'tool-execution-end')
    expect(ends.map(({ usage }) => (usage?.output ?? 0) > 0)).to.deep.equal([true, true])
    const { messages } = JSON.parse((await ask('/api/conversations/talk')).text)
    const { input, output } = finish?.usage ?? {}
    expect(messages.at(-1).metadata.usage).to.include({ input, output })
    const explained = explainRun(run, events)
    expect(explained.usage).to.include({ input, output })
    const [calling] = explained.steps
    expect(calling?.calls.map(({ usage }) => usage)).to.deep.equal(ends.map(({ usage }) => usage))
  })

  it('AL-23 wait for the answer that their root is given, and go on as stored runs', async () => {
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'write', input: { path: 'w' } }] } },
      { then: { text: 'It is {{result.write}}.' } },
    ]
    const a: AgentSpec = {
      id: 'a',
      config: { settings: { scripted: { script } }, tool_policy: { write: 'ask' } },
    }
    const { storage, chat, ask } = await serve([leader([asks('a', 'x')], { delegates: ['a'] }), a])
    const { runId } = await chat('go')
    const [approval, ...others] = await storage.approvals.list(OWNER, runId)
    expect(others).to.deep.equal([])
    expect(approval?.input).to.deep.include({
      question: 'The agent "a" asks to call "write" with {"path":"w"}.',
    })
    const [child] = (await storage.runs.tree(OWNER, runId)).filter(({ place }) => place)
    expect(child?.status).to.equal('suspended')
    expect(await storage.approvals.list(OWNER, child?.id ?? '')).to.deep.equal([])
    const { status, text } = await ask(`/approvals/${approval?.id}`, { answer: { approve: true } })
    expect(status, text).to.equal(200)
    await ask(`/runs/${runId}/events`)
    const events: readonly RunEvent[] = await storage.runs.events(OWNER, runId)
    const ends = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.result.output] : [],
    )
    expect(ends).to.deep.equal(['It is written.'])
    const tree = await storage.runs.tree(OWNER, runId)
    expect(tree.map((run) => run.status)).to.deep.equal(['done', 'done'])
    expect((await storage.runs.events(OWNER, child?.id ?? '')).map(({ seq }) => seq)).to.deep.equal(
      (await storage.runs.events(OWNER, child?.id ?? '')).map((_, index) => index),
    )
  })

  it('AL-07 have the caller of their root, which cannot be changed', async () => {
    const callers: unknown[] = []
    const who = tool('who', {
      getToolSchemas: () => [schema('who')],
      executeTool: (_call: unknown, _state: unknown, context: object) => {
        callers.push((context as { readonly caller?: unknown }).caller)
        return 'known'
      },
    })
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'who', input: { path: 'w' } }] } },
      { then: { text: 'a' } },
    ]
    const a: AgentSpec = { id: 'a', config: { settings: { scripted: { script } } } }
    const calls = [{ name: 'who', input: { path: 'w' } }, asks('a', 'x')]
    const { chat } = await serve([leader(calls, { delegates: ['a'] }), a], [who])
    await chat('go')
    expect(callers).to.deep.equal([callers[0], callers[0]])
    expect(callers[0]).to.deep.equal({ id: OWNER, role: LOCAL.role })
    expect(callers.every(Object.isFrozen)).to.equal(true)
  })

  it('AL-24 are stopped with their root', async () => {
    const agents = [
      leader([asks('a', 'x')], { delegates: ['a'] }),
      {
        id: 'a',
        config: { settings: { scripted: { script: [{ then: { fault: 'stall' } }] } } },
      } satisfies AgentSpec,
    ]
    const { storage, ask, chat } = await serve(agents)
    const answer = chat('go')
    const root = async () => (await storage.runs.list(OWNER, 'talk'))[0]
    const childOf = async (id: string) =>
      (await storage.runs.tree(OWNER, id)).find(({ place }) => place)
    let found = await root()
    while (!found || !(await childOf(found.id))) {
      await new Promise(setImmediate)
      found = await root()
    }
    const { status } = await ask(`/runs/${found.id}/stop`, {})
    expect(status).to.equal(200)
    await answer
    const tree = await storage.runs.tree(OWNER, found.id)
    expect(tree.map((run) => run.status)).to.deep.equal(['aborted', 'aborted'])
  })

  const STALLED: AgentSpec = {
    id: 'a',
    config: { settings: { scripted: { script: [{ then: { fault: 'stall' } }] } } },
  }

  /** A tree whose leaf has begun, and does not answer. */
  async function stalled() {
    const served = await serve([leader([asks('a', 'x')], { delegates: ['a'] }), STALLED])
    const answer = served.chat('go')
    for (;;) {
      await new Promise(setImmediate)
      const [root] = await served.storage.runs.list(OWNER, 'talk')
      const tree = root ? await served.storage.runs.tree(OWNER, root.id) : []
      const leaf = tree.find(({ place }) => place)
      if (root && leaf) return { ...served, answer, root, leaf }
    }
  }

  it('AL-06 of which one is stopped alone tell their parent, which goes on', async () => {
    const { storage, ask, answer, root, leaf } = await stalled()
    expect((await ask(`/runs/${leaf.id}/stop`, {})).status).to.equal(200)
    await answer
    const events = await storage.runs.events(OWNER, root.id)
    const told = events.find((event) => event.type === 'tool-execution-end')
    expect(told?.result.output).to.deep.include({ agent: 'a', status: 'cancelled' })
    expect((await storage.runs.load(OWNER, root.id))?.status).to.equal('done')
    expect((await storage.runs.load(OWNER, leaf.id))?.status).to.equal('aborted')
  })

  it('AL-24 end when their root is deleted while they work, and leave nothing', async () => {
    const { storage, ask, answer, root, leaf } = await stalled()
    await ask('/api/conversations/talk', undefined, 'DELETE')
    await answer
    for (const { id } of [root, leaf]) {
      expect(await storage.runs.load(OWNER, id)).to.equal(undefined)
    }
    for (let left = server?.activeRuns; left !== 0; left = server?.activeRuns) {
      await new Promise(setImmediate)
    }
    expect(await storage.usage(OWNER)).to.include({ bytes: 0, conversations: 0 })
  })
})
