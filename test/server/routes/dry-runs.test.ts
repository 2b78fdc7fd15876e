import { expect } from 'chai'
import { type AgentSpec, createRuntime } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import type { Config, Context, Message } from '../../../src/plugin/index.ts'
import { caller, extension, feature, schema, tool } from '../../helpers/plugins.ts'
import { chatBody, Served, user } from './served.ts'

const SECRET = 'key-0123456789abcdef'

/** The request of the model API of these tests. */
interface Native {
  readonly messages: readonly Message[]
  readonly tools: readonly string[]
  readonly temperature?: number
  readonly toolChoice?: unknown
}

interface Told {
  readonly model: object
  readonly request: Native
  readonly steps: readonly { readonly plugin: string; readonly hook: string }[]
  readonly step: number
  readonly lastStep: number
  readonly note: string
}

const AGENTS: readonly AgentSpec[] = [
  { id: 'talker', system_prompt: 'You are a talker.', delegates: ['helper'] },
  { id: 'helper' },
]

describe('the route that shows what was sent', () => {
  let storage: Storage
  let served: Served
  let sent: Native[]
  let executed: number
  let written: string[]
  let reading: boolean

  const model = () =>
    caller('model', [], {
      tags: ['text', 'tools'],
      models: ['m-1'],
      configSchema: {
        type: 'object',
        properties: { api_key: { type: 'string', writeOnly: true } },
      },
      init: (config: Config) => config,
      toNative: (messages: readonly Message[], config: Config): Native => ({
        messages,
        tools: (config.tools as readonly { name: string }[]).map(({ name }) => name),
        ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
        ...(config.tool_choice === undefined ? {} : { toolChoice: config.tool_choice }),
      }),
      call: (native: Native, state: object) => {
        sent.push(native)
        const calls = native.messages.at(-1)?.role === 'user' && reading
        const look = { type: 'tool-call', callId: `c${sent.length}`, name: 'look', input: {} }
        const parts = calls ? [look] : [{ type: 'text', text: 'fine' }]
        return [[], [{ role: 'assistant', parts }], native, state]
      },
    })
  const looking = tool('looking', {
    getToolSchemas: () => [schema('look', { safety: { is_read_only: true } })],
    executeTool: () => {
      executed++
      return 'seen'
    },
  })
  const counting = feature('counting', {
    editMessages: async (messages: readonly Message[], _state: object, context: Context) => {
      await context.storage.set('asked', 1)
      written.push(String(await context.storage.get('asked')))
      return messages
    },
  })
  const marking = extension('marking', {
    initializeRequest: (native: Native, state: object) => [
      { ...native, key: `Bearer ${SECRET}` },
      state,
    ],
  })

  beforeEach(async () => {
    storage = memoryStorage()
    sent = []
    written = []
    executed = 0
    reading = false
    served = await Served.start(
      {
        models: { quick: { config: { temperature: 0.5 } } },
        storage,
        instructions: ({ id }) => `The user is ${id}.`,
      },
      {
        plugins: [model(), looking, counting, marking],
        config: { settings: { model: { api_key: SECRET } } },
      },
      async (host) => ({ runtime: await createRuntime({ host, agents: AGENTS }) }),
    )
  })
  afterEach(() => served.close())

  const say = (id: string, text: string, more: object = {}) =>
    served.ask('/api/chat', { body: chatBody('talk', [user(id, text)], more) })
  const dryRun = async (body: object = {}): Promise<Told> => {
    const { status, text } = await served.ask('/api/conversations/talk/dry-run', { body })
    expect(status, text).to.equal(200)
    return JSON.parse(text) as Told
  }
  const masked = (native: Native | undefined) =>
    JSON.parse(JSON.stringify(native).replaceAll(SECRET, '***')) as Native

  it('shows the request as it was sent, the model, and what each plugin changed', async () => {
    await say('u1', 'hi')
    const { model: chosen, request, steps, step, lastStep, note } = await dryRun()
    expect(request).to.deep.equal(masked(sent[0]))
    expect(request.messages.map(({ role }) => role)).to.deep.equal(['system', 'user'])
    expect(request).to.deep.include({ temperature: 0.5, key: 'Bearer ***' })
    expect(chosen).to.deep.equal({ provider: 'model', model: 'm-1' })
    expect([step, lastStep]).to.deep.equal([1, 1])
    expect(note).to.match(/^Computed again/)
    expect(steps.map(({ plugin, hook }) => `${plugin} ${hook}`)).to.deep.equal([
      'model init',
      'counting editMessages',
      'model toNative',
      'marking initializeRequest',
    ])
  })

  it('asks no model, runs no tool and stores nothing', async () => {
    await say('u1', 'hi')
    const before = JSON.stringify(await storage.conversations.entries('ada', 'talk'))
    const runs = await storage.runs.list('ada', 'talk')
    await dryRun()
    expect(sent.length).to.equal(1)
    expect(executed).to.equal(0)
    expect(await storage.runs.list('ada', 'talk')).to.deep.equal(runs)
    expect(JSON.stringify(await storage.conversations.entries('ada', 'talk'))).to.equal(before)
  })

  it('drops what plugins write meanwhile', async () => {
    await storage.conversations.create(
      { id: 'talk', owner: 'ada', agent: 'quick', sender: 'ada' },
      1,
    )
    const message: Message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }
    const entries = [{ id: 'e1', kind: 'message' as const, message }]
    await storage.conversations.append('ada', 'talk', { entries }, 1)
    await dryRun()
    expect(written).to.deep.equal(['undefined'])
  })

  it('shows each request of an answer with tools, by its step', async () => {
    reading = true
    await say('u1', 'look', { agent: 'talker' })
    expect([sent.length, executed]).to.deep.equal([2, 1])
    const [, answer] = await served.history('talk')
    const first = await dryRun({ messageId: answer?.id, sdk: '6' })
    expect(first.request).to.deep.equal(masked(sent[0]))
    expect(first.request.tools).to.deep.equal(['look', 'agent_run_helper'])
    expect([first.step, first.lastStep]).to.deep.equal([1, 2])
    const second = await dryRun({ messageId: answer?.id, step: 2 })
    expect(second.request.messages).to.deep.equal(masked(sent[1]).messages)
    expect(executed).to.equal(1)
  })

  it('shows an earlier answer with what its own request said, after others followed', async () => {
    await say('u1', 'one')
    await say('u2', 'two')
    const [, first] = await served.history('talk')
    expect((await dryRun({ messageId: first?.id })).request).to.deep.equal(masked(sent[0]))
    expect((await dryRun()).request).to.deep.equal(masked(sent[1]))
  })

  it('shows what was sent for an answer that a branch copied, also where its run is gone', async () => {
    await say('u1', 'one', { agent: 'talker' })
    const { json } = await served.ask('/api/conversations/talk/branch', { body: {} })
    const path = `/api/conversations/${String(json['id'])}/dry-run`
    const told = async () => JSON.parse((await served.ask(path, { body: {} })).text) as Told
    const before = await told()
    expect(before.request).to.deep.equal(masked(sent[0]))
    expect(before).to.not.have.property('isRunGone')
    await served.ask('/api/conversations/talk', { method: 'DELETE' })
    const after = await told()
    expect(after.request).to.deep.equal(masked(sent[0]))
    expect(after).to.include({ isRunGone: true })
    expect(after.note).to.include('was deleted with its conversation')
  })

  it('applies the own settings of the caller', async () => {
    await say('u1', 'hi')
    await storage.settings.save('ada', { temperature: 0.1 }, 1)
    expect((await dryRun()).request.temperature).to.equal(0.1)
  })

  it('does not exist for callers who are no admins', async () => {
    const asked = { body: chatBody('mine', [user('u1', 'hi')]), as: 'bob' as const }
    await served.ask('/api/chat', asked)
    for (const id of ['mine', 'talk', 'none']) {
      const { status, text } = await served.ask(`/api/conversations/${id}/dry-run`, {
        body: {},
        as: 'bob',
      })
      expect([status, text.includes('METHOD_UNKNOWN')]).to.deep.equal([404, true])
    }
  })

  it('refuses what it cannot show', async () => {
    await say('u1', 'hi')
    const refused = async (id: string, body: object) => {
      const { status, json } = await served.ask(`/api/conversations/${id}/dry-run`, { body })
      const error = json['error'] as unknown as { readonly code: string }
      return [status, error.code]
    }
    expect(await refused('none', {})).to.deep.equal([404, 'CONVERSATION_UNKNOWN'])
    expect(await refused('talk', { messageId: 'none' })).to.deep.equal([404, 'ENTRY_UNKNOWN'])
    expect(await refused('talk', { step: 2 })).to.deep.equal([400, 'REQUEST_INVALID'])
    expect(await refused('talk', { mesageId: 'x' })).to.deep.equal([400, 'REQUEST_INVALID'])
    expect(await refused('talk', { sdk: '1' })).to.deep.equal([400, 'REQUEST_INVALID'])
  })
})
