import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { type AgentSpec, createRuntime } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import type { ServerOptions } from '../../../src/server/index.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { type Answered, chatBody, Served, user } from '../routes/served.ts'

const calls = ['a', 'b'].map((path) => ({ name: 'remove', input: { path } }))
const SCRIPT = [
  { when: { text: 'one', step: 1 }, then: { text: 'Shall I?', tool_calls: calls.slice(0, 1) } },
  { when: { text: 'two', step: 1 }, then: { text: 'Shall I?', tool_calls: calls } },
  { then: { text: 'Done.' } },
]
const config = {
  tool_policy: { remove: 'ask' },
  settings: { scripted: { script: SCRIPT, delay_ms: 0 } },
} as const

describe('an answer to an approval', () => {
  let storage: Storage
  let served: Served
  let ran: string[]
  beforeEach(async () => {
    storage = memoryStorage()
    ran = []
    served = await serve()
  })
  afterEach(() => served.close())

  function serve(
    options: Partial<ServerOptions> = {},
    agents: readonly AgentSpec[] = [{ id: 'quick' }],
  ): Promise<Served> {
    const remove = tool('remove', {
      getToolSchemas: () => [schema('remove')],
      executeTool: ({ input }: { input: { path: string } }) => {
        ran.push(input.path)
        return `${input.path} is gone`
      },
    })
    return Served.start(
      { storage, models: { other: {} }, ...options },
      { plugins: [scripted, remove], config },
      async (host) => ({ runtime: await createRuntime({ host, agents }) }),
    )
  }

  async function reopened(...given: Parameters<typeof serve>): Promise<void> {
    await served.close()
    served = await serve(...given)
  }

  /** Has a turn that ends, and one that waits. Returns the approvals, and the head of the conversation before. */
  async function waiting(text: 'one' | 'two' = 'one') {
    await served.ask('/api/chat', { body: chatBody('talk', [user('u1', 'hello')]) })
    const { head } = (await storage.conversations.load('ada', 'talk')) ?? {}
    const { headers } = await served.ask('/api/chat', {
      body: chatBody('talk', [user('u2', text)]),
    })
    const runId = headers.get('x-run-id') ?? ''
    const ids = (await storage.approvals.list('ada', runId)).map(({ id }) => id)
    const { head: end } = (await storage.conversations.load('ada', 'talk')) ?? {}
    return { runId, ids, id: ids[0] ?? '', before: head ?? null, end: end ?? null }
  }

  const answer = (id: string | undefined, approved: boolean) =>
    served.ask(`/approvals/${id}`, { body: { approved } })
  const moveTo = (head: string | null) =>
    served.ask('/api/conversations/talk', { method: 'PATCH', body: { head } })
  const answersOf = async (runId: string) =>
    (await storage.approvals.list('ada', runId)).map((one) => one.answer?.approved)
  const statusOf = async (runId: string) => (await storage.runs.load('ada', runId))?.status

  /** Reads a run to the end of its leg. */
  const end = (runId: string) => served.ask(`/runs/${runId}/events`)

  function assertGone({ status, text }: Answered): void {
    expect([status, text.includes('APPROVAL_EXPIRED')], text).to.deep.equal([410, true])
    expect(text).to.include('The conversation went on without its call.')
  }

  for (const [where, place] of Object.entries({
    'an earlier answer': (before: string | null) => before,
    'its beginning': () => null,
  })) {
    it(`is refused where the conversation went back to ${where}, and counts when it is there again`, async () => {
      const { runId, id, before, end: last } = await waiting()
      await moveTo(place(before))
      const shown = await served.history('talk')
      assertGone(await answer(id, true))
      expect(await answersOf(runId)).to.deep.equal([undefined])
      expect([ran, await served.history('talk')]).to.deep.equal([[], shown])
      await moveTo(last)
      expect((await answer(id, true)).status).to.equal(200)
      await end(runId)
      expect([ran, await statusOf(runId)]).to.deep.equal([['a'], 'done'])
    })
  }

  it('is refused where items were added meanwhile', async () => {
    const { runId, id } = await waiting()
    const items = [{ type: 'message', role: 'user', content: 'meanwhile' }]
    await served.ask('/v1/conversations/talk/items', { body: { items } })
    assertGone(await answer(id, true))
    expect([ran, await answersOf(runId)]).to.deep.equal([[], [undefined]])
  })

  it('counts where an earlier item was deleted meanwhile', async () => {
    const { runId, id } = await waiting()
    const { text } = await served.ask('/v1/conversations/talk/items?order=asc')
    const [first] = (JSON.parse(text) as { readonly data: readonly { id: string }[] }).data
    const path = `/v1/conversations/talk/items/${first?.id}`
    const deleted = await served.ask(path, { method: 'DELETE' })
    expect(deleted.status, deleted.text).to.equal(200)
    expect((await answer(id, true)).status).to.equal(200)
    await end(runId)
    expect([ran, await statusOf(runId)]).to.deep.equal([['a'], 'done'])
  })

  it('is refused where the run waits for others, over AG-UI and by a chat request, and leaves those open', async () => {
    const { runId, ids } = await waiting('two')
    const resume = [{ interruptId: 'other', status: 'resolved', payload: { approved: true } }]
    const state = { state: {}, tools: [], context: [], forwardedProps: {} }
    const input = { threadId: 'talk', runId: 'r9', messages: [], resume, ...state }
    const parts = [{ type: 'data-approval', data: { approvalId: 'other', approved: true } }]
    const body = chatBody('talk', [user('u2', 'two'), { id: 'u3', role: 'user', parts }])
    for (const refused of [
      await served.ask('/ag-ui', { body: input }),
      await served.ask('/api/chat', { body }),
    ]) {
      expect(
        [refused.status, refused.text.includes('APPROVAL_UNKNOWN')],
        refused.text,
      ).to.deep.equal([404, true])
      for (const id of ids) expect(refused.text).to.include(id)
    }
    expect(await answersOf(runId)).to.deep.equal([undefined, undefined])
    for (const id of ids) expect((await answer(id, true)).status).to.equal(200)
    await end(runId)
    expect([ran, await statusOf(runId)]).to.deep.equal([['a', 'b'], 'done'])
  })

  it('is refused by a chat request, too', async () => {
    const { runId, id, before } = await waiting()
    await moveTo(before)
    const parts = [{ type: 'data-approval', data: { approvalId: id, approved: true } }]
    const body = chatBody('talk', [{ id: 'v', role: 'user', parts }])
    const refused = await served.ask('/api/chat', { body })
    expect([refused.status, refused.json['code']]).to.deep.equal([410, 'APPROVAL_EXPIRED'])
    expect([ran, await answersOf(runId)]).to.deep.equal([[], [undefined]])
  })

  it('that was stored before the conversation went back is not acted on by the next server', async () => {
    const { runId, id, before } = await waiting()
    await moveTo(before)
    await storage.approvals.answer('ada', id, { approved: true, answeredAt: Date.now() })
    const lines: object[] = []
    await reopened({ log: (line) => lines.push(line) })
    expect([ran, await statusOf(runId)]).to.deep.equal([[], 'suspended'])
    expect(
      lines.filter((line) => 'code' in line && line.code === 'APPROVAL_EXPIRED'),
    ).to.have.length(1)
  })

  const UNABLE: { readonly [what: string]: readonly AgentSpec[] } = {
    'is published no more': [],
    'is broken': [{ id: 'quick', model_id: 'none' }],
  }
  for (const [what, agents] of Object.entries(UNABLE)) {
    it(`is not kept where its agent ${what}, so that another answer counts`, async () => {
      const { runId, id } = await waiting()
      await reopened({}, agents)
      const failed = await answer(id, true)
      expect(failed.status, failed.text).to.be.at.least(400)
      expect(await answersOf(runId)).to.deep.equal([undefined])
      await reopened()
      expect([ran, await statusOf(runId)]).to.deep.equal([[], 'suspended'])
      expect((await answer(id, false)).status).to.equal(200)
      await end(runId)
      expect([ran, await statusOf(runId)]).to.deep.equal([[], 'done'])
    })
  }

  it('is not kept where it is the first of two and the run cannot go on', async () => {
    const { runId, ids } = await waiting('two')
    await reopened({}, [])
    expect((await answer(ids[0], true)).status).to.equal(404)
    expect(await answersOf(runId)).to.deep.equal([undefined, undefined])
  })

  it('is not kept where the caller has too many runs', async () => {
    const { runId, id } = await waiting()
    const slow = { config: { settings: { scripted: { delay_ms: 1000 } } } }
    await reopened({ limits: { runs: 1 }, models: { slow } })
    const body = chatBody('other', [user('o', 'hello')], { agent: 'slow' })
    const other = await served.fetch('/api/chat', { body })
    expect((await answer(id, true)).status).to.equal(429)
    expect(await answersOf(runId)).to.deep.equal([undefined])
    await served.ask('/api/chat/other/stop', { method: 'POST' })
    await other.text()
    expect((await answer(id, true)).status).to.equal(200)
    await end(runId)
    expect(ran).to.deep.equal(['a'])
  })
})
