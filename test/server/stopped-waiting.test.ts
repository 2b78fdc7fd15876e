import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { createRuntime } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const remove = { name: 'remove', input: { path: 'a' } }
const SCRIPT = [
  { when: { text: 'clean', step: 1 }, then: { text: 'Shall I?', tool_calls: [remove] } },
  {
    when: { text: 'delegate', step: 1 },
    then: { tool_calls: [{ name: 'agent_run_cleaner', input: { prompt: 'clean' } }] },
  },
  { when: { text: 'delegate' }, then: { text: 'It said: {{result.agent_run_cleaner}}' } },
  { then: { text: 'You said {{user}}' } },
]
const config = { settings: { scripted: { script: SCRIPT, delay_ms: 0 } } } as const
const careful = { tool_policy: { remove: 'ask' } } as const

describe('a run that waits for an approval', () => {
  let storage: Storage
  let served: Served
  let ran: string[]
  beforeEach(async () => {
    storage = memoryStorage()
    ran = []
    const plugin = tool('remove', {
      getToolSchemas: () => [schema('remove')],
      executeTool: ({ input }: { input: { path: string } }) => {
        ran.push(input.path)
        return `${input.path} is gone`
      },
    })
    const agents = [
      { id: 'quick', delegates: ['cleaner'], config: careful },
      { id: 'cleaner', config: careful },
    ]
    served = await Served.start(
      { storage },
      { plugins: [scripted, plugin], config },
      async (host) => ({ models: {}, runtime: await createRuntime({ host, agents }) }),
    )
  })
  afterEach(() => served.close())

  async function waiting(text: string) {
    const { headers } = await served.ask('/api/chat', {
      body: chatBody('talk', [user(text, text)]),
    })
    const runId = headers.get('x-run-id') ?? ''
    const [approval] = await storage.approvals.list('ada', runId)
    return { runId, id: approval?.id ?? '' }
  }

  const post = (path: string, body: object = {}) => served.ask(path, { body })
  const statusOf = async (runId: string) => (await storage.runs.load('ada', runId))?.status
  const treeOf = async (runId: string) =>
    (await storage.runs.tree('ada', runId)).map(({ status }) => status)

  async function assertGone(id: string, answer: object = { approved: true }): Promise<void> {
    const late = await post(`/approvals/${id}`, answer)
    expect([late.status, late.json['error']?.['code']]).to.deep.equal([410, 'APPROVAL_EXPIRED'])
    expect(ran).to.deep.equal([])
  }

  for (const [way, pathOf] of Object.entries({
    'by its id': (runId: string) => `/runs/${runId}/stop`,
    'by its conversation': () => '/api/chat/talk/stop',
  })) {
    it(`ends where it is stopped ${way}, and its approval with it`, async () => {
      const { runId, id } = await waiting('clean')
      expect((await post(pathOf(runId))).json).to.deep.equal({ stopped: true })
      expect(await statusOf(runId)).to.equal('aborted')
      await assertGone(id)
      expect((await post(pathOf(runId))).json).to.deep.equal({ stopped: false })
      const parts = (await served.history('talk')).at(-1)?.parts ?? []
      const part = parts.find(({ type }) => type === 'dynamic-tool')
      expect(part).to.include({ state: 'output-error' })
      expect(part?.errorText).to.include('The run was stopped before the call ran.')
      await post('/api/chat', chatBody('talk', [user('n', 'next')]))
      expect((await served.history('talk')).at(-1)?.parts.at(-1)?.text).to.equal('You said next')
    })
  }

  it('is not stopped by somebody else', async () => {
    const { runId, id } = await waiting('clean')
    expect((await served.ask(`/runs/${runId}/stop`, { body: {}, as: 'bob' })).status).to.equal(404)
    expect((await post(`/approvals/${id}`, { approved: false })).status).to.equal(200)
  })

  it('adds nothing to another branch where it is stopped', async () => {
    await post('/api/chat', chatBody('talk', [user('u1', 'hello')]))
    const { head } = (await storage.conversations.load('ada', 'talk')) ?? {}
    const before = await served.history('talk')
    const { runId } = await waiting('clean')
    await served.ask('/api/conversations/talk', { method: 'PATCH', body: { head } })
    expect((await post(`/runs/${runId}/stop`)).json).to.deep.equal({ stopped: true })
    expect(await served.history('talk')).to.deep.equal(before)
  })

  it('ends with the agents below it that wait, where it is stopped', async () => {
    const { runId, id } = await waiting('delegate')
    expect(await treeOf(runId)).to.deep.equal(['suspended', 'suspended'])
    expect((await post(`/runs/${runId}/stop`)).json).to.deep.equal({ stopped: true })
    expect(await treeOf(runId)).to.deep.equal(['aborted', 'aborted'])
    await assertGone(id, { answer: { approve: true } })
  })

  it('goes on where only the agent below it was stopped, and tells the model so', async () => {
    const { runId, id } = await waiting('delegate')
    const child = (await storage.runs.tree('ada', runId)).find(({ place }) => place)
    expect((await post(`/runs/${child?.id}/stop`)).json).to.deep.equal({ stopped: true })
    expect(await statusOf(child?.id ?? '')).to.equal('aborted')
    expect(await statusOf(runId)).to.equal('suspended')
    await post(`/approvals/${id}`, { answer: { approve: true } })
    const { text } = await served.ask(`/runs/${runId}/events`)
    expect([ran, await statusOf(runId)]).to.deep.equal([[], 'done'])
    expect(text).to.include('does not wait any more, so it cannot go on.')
  })
})
