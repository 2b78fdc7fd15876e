import { expect } from 'chai'
import { type AgentSpec, createRuntime } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { NewEntry, Storage } from '../../src/agent/storage/index.ts'
import {
  type Message,
  type Part,
  type ToolCallPart,
  textOf,
} from '../../src/plugin/events/index.ts'
import { caller } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const LONG = 'word '.repeat(1200)

const text = (role: Message['role'], of: string): Message => ({
  role,
  parts: [{ type: 'text', text: of }],
})

const POLICY = { autocompact_threshold: 5000 }
const AGENTS: readonly AgentSpec[] = [
  { id: 'talker', system_prompt: 'You are a talker.', context_policy: POLICY },
  { id: 'quiet', context_policy: POLICY, sections: { compaction: { mode: 'off' } } },
]

/** An answer that a model gives to what it is sent, with the tokens that its API counts. */
type Answer = (sent: readonly Message[]) => { readonly text: string; readonly input?: number }

describe('compactions of a server', () => {
  let storage: Storage
  let served: Served
  let sent: (readonly Message[])[]
  let answer: Answer
  let reached: () => Promise<void>
  /** What the next answer calls. */
  let calls: ToolCallPart[]

  beforeEach(async () => {
    storage = memoryStorage()
    sent = []
    calls = []
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine' })
    reached = async () => undefined
    const model = caller('model', [], {
      call: async (native: readonly Message[], state: object) => {
        sent.push(native)
        if (isSummaryRequest(native)) await reached()
        const { text: said, input } = answer(native)
        const usage = input === undefined ? {} : { input, output: 10 }
        const metadata = { finishReason: 'stop', usage }
        const parts = [...calls.splice(0), { type: 'text', text: said }]
        return [[], [{ role: 'assistant', parts, metadata }], native, state]
      },
    })
    served = await Served.start(
      { models: {}, storage },
      { plugins: [model], config: {} },
      async (host) => ({
        runtime: await createRuntime({ host, agents: AGENTS }),
      }),
    )
  })
  afterEach(() => served.close())

  const talk = async (agent = 'talker') => {
    const turns = [text('user', `one ${LONG}`), text('assistant', LONG), text('user', 'two')]
    const entries = [...turns, text('assistant', 'yes')].map(
      (message, at): NewEntry => ({ id: `e${at}`, kind: 'message', message }),
    )
    await storage.conversations.create({ id: 'talk', owner: 'ada', agent, sender: 'ada' }, 1)
    await storage.conversations.append('ada', 'talk', { entries }, 1)
  }
  const compact = (as: 'ada' | 'bob' = 'ada') =>
    served.ask('/api/conversations/talk/compact', { method: 'POST', as })
  const say = (id: string, said: string, agent = 'talker') =>
    served.ask('/api/chat', { body: { ...chatBody('talk', [user(id, said)]), agent } })
  const markers = async () => {
    const entries = await storage.conversations.entries('ada', 'talk')
    return entries.filter(({ kind }) => kind === 'compaction')
  }

  it('CT-20 compact on request, with the prompt of the agent in front and nothing else', async () => {
    await talk()
    const { status, json } = await compact()
    expect(status).to.equal(200)
    expect(json).to.deep.include({ summary: 'in short', replaced: 2 })
    expect(sent).to.have.length(1)
    expect(sent[0]?.map(({ role }) => role)).to.deep.equal(['system', 'user'])
    expect(textOf(sent[0]![0]!)).to.equal('You are a talker.')
  })

  it('AW-43 send the next request with the summary in place of what it replaces', async () => {
    await talk()
    await compact()
    await say('u5', 'three')
    const [system, summary, ...rest] = sent[1]!.map(textOf)
    expect(system).to.equal('You are a talker.')
    expect(summary).to.include('in short').and.not.include('one word')
    expect(rest).to.deep.equal(['two', 'yes', 'three'])
  })

  it('show a person everything, and no summary', async () => {
    await talk()
    await compact()
    const history = await served.history('talk')
    expect(history.map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(JSON.stringify(history)).to.not.include('in short')
  })

  it('CT-20 compact by themselves from the threshold on that the API counted', async () => {
    await talk()
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 4980 })
    await say('u5', 'three')
    await say('u5b', 'and')
    await say('u5c', 'so')
    expect(sent.filter(isSummaryRequest)).to.deep.equal([])
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 4990 })
    await say('u6', 'four')
    await compacted()
    const [marker] = await markers()
    expect(marker).to.include({ trigger: 'threshold', summary: 'in short' })
  })

  it('CT-26 lose no message, and ask the agent nothing more', async () => {
    await talk()
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 9000 })
    await say('u5', 'three')
    await compacted()
    const requests = sent.filter((messages) => !isSummaryRequest(messages))
    expect(requests).to.have.length(1)
    const path = await storage.conversations.history('ada', 'talk')
    const messages = path.flatMap((entry) =>
      entry.kind === 'message' ? [textOf(entry.message)] : [],
    )
    expect(messages.slice(2)).to.deep.equal(['two', 'yes', 'three', 'fine'])
  })

  it('AW-40 do not compact by themselves where the section says off', async () => {
    await talk('quiet')
    answer = () => ({ text: 'fine', input: 9000 })
    await say('u5', 'three', 'quiet')
    await say('u6', 'four', 'quiet')
    await say('u7', 'five', 'quiet')
    expect(await markers()).to.deep.equal([])
    expect(sent).to.have.length(3)
  })

  it('AW-43 let the model read what the summary replaces, by the reference that it names', async () => {
    await talk()
    await compact()
    const archive = /under the reference ([0-9a-f]{64})/
    answer = () => ({ text: 'fine' })
    await say('u5', 'three')
    const [, hash = ''] = archive.exec(sent[1]!.map(textOf).join()) ?? []
    calls.push({ type: 'tool-call', callId: 'c1', name: 'read_result', input: { reference: hash } })
    await say('u6', 'read it')
    const results = sent.at(-1)!.flatMap(({ parts }) => parts.filter(isResult))
    expect(JSON.stringify(results)).to.include('one word')
  })

  it('AW-43 run one at a time for a conversation', async () => {
    await talk()
    const both: { begun?: () => void; release?: () => void } = {}
    const begun = new Promise<void>((resolve) => {
      both.begun = resolve
    })
    const released = new Promise<void>((resolve) => {
      both.release = resolve
    })
    reached = () => {
      both.begun?.()
      return released
    }
    const first = compact()
    await begun
    const second = await compact()
    expect([second.status, second.json]).to.have.nested.property(
      '[1].error.code',
      'COMPACTION_BUSY',
    )
    both.release?.()
    expect((await first).status).to.equal(200)
    expect(await markers()).to.have.length(1)
  })

  it('leave a branch alone that is taken while one runs', async () => {
    await talk()
    reached = async () => {
      const entry: NewEntry = { id: 'edit', kind: 'message', message: text('user', 'anew') }
      await storage.conversations.append('ada', 'talk', { entries: [entry], parent: null }, 1)
    }
    expect((await compact()).status).to.equal(200)
    await say('u5', 'three')
    expect(sent[1]?.map(textOf).slice(1)).to.deep.equal(['anew', 'three'])
  })

  it('say why a conversation cannot be compacted, and whose it is to nobody else', async () => {
    await talk()
    answer = () => ({ text: '' })
    const failed = await compact()
    expect([failed.status, failed.json]).to.have.nested.property(
      '[1].error.code',
      'COMPACTION_FAILED',
    )
    expect((await compact('bob')).status).to.equal(404)
    answer = () => ({ text: 'in short' })
    await compact()
    const again = await compact()
    expect([again.status, again.json]).to.have.nested.property(
      '[1].error.code',
      'COMPACTION_NEEDLESS',
    )
  })

  /** Waits until the server compacts nothing any more. */
  async function compacted(): Promise<void> {
    while ((await markers()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
})

function isResult({ type }: Part): boolean {
  return type === 'tool-result'
}

function isSummaryRequest(messages: readonly Message[]): boolean {
  return messages.some((message) => textOf(message).startsWith('Summarize'))
}
