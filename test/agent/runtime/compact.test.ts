import { expect } from 'chai'
import { tokensIn } from '../../../src/agent/estimated-tokens.ts'
import { type AgentSpec, createRuntime } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { type Message, textOf } from '../../../src/plugin/events/index.ts'
import { caller, feature } from '../../helpers/plugins.ts'
import { codeOf } from '../../store/stored.ts'

const LONG = 'word '.repeat(1200)
const text = (role: Message['role'], of: string): Message => ({
  role,
  parts: [{ type: 'text', text: of }],
})

describe('runtime.compact', () => {
  const sent: (readonly Message[])[] = []
  const model = caller('model', [], {
    getModels: () => ['large', 'small'],
    getModelInfo: (id: string) => ({ contextWindow: id === 'small' ? 2000 : 100_000 }),
    call: (native: readonly Message[], state: object) => {
      sent.push(native)
      return [[], [text('assistant', `summary ${sent.length}`)], native, state]
    },
  })
  const loud = feature('loud', {
    editMessages: (messages: readonly Message[]) => [...messages, text('user', 'LOUD')],
  })
  const talk = [
    text('user', `a ${LONG}`),
    text('assistant', LONG),
    text('user', 'b'),
    text('assistant', 'd'),
  ]

  const runtimeOf = async (sections: NonNullable<AgentSpec['sections']> = {}) => {
    sent.length = 0
    const host = await createHost({ plugins: [model, loud] })
    const agents = [{ id: 'talker', system_prompt: 'You are a talker.', sections }]
    return { host, runtime: await createRuntime({ host, agents }) }
  }

  it('CT-20 replaces the older messages, asked by the prompt of the agent alone', async () => {
    const { host, runtime } = await runtimeOf()
    await using _ = host
    const { messages, summary, replaced } = await runtime.compact('talker', { messages: talk })
    expect([summary, replaced]).to.deep.equal(['summary 1', 2])
    expect(sent[0]?.map(({ role }) => role)).to.deep.equal(['system', 'user'])
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'user', 'assistant'])
    expect(textOf(messages[0]!)).to.include('summary 1')
    await (await runtime.run('talker', { messages })).result
    expect(sent[1]?.map(textOf)).to.deep.equal([
      'You are a talker.',
      ...messages.map(textOf),
      'LOUD',
    ])
  })

  it('CT-25 compacts what was compacted before, and counts it', async () => {
    const { host, runtime } = await runtimeOf()
    await using _ = host
    const first = await runtime.compact('talker', { messages: talk })
    const more = [...first.messages, text('user', LONG), text('user', 'c'), text('assistant', 'e')]
    const second = await runtime.compact('talker', { messages: more })
    expect(second.replaced).to.equal(5)
    expect(textOf(sent[1]!.at(-1)!)).to.include('<previous_summary>\nsummary 1')
    expect(second.messages.map(textOf).join()).to.not.include('summary 1')
  })

  it('AW-40 asks in pieces that the model has room for which writes the summary', async () => {
    const { host, runtime } = await runtimeOf({ compaction: { summary_model: 'small' } })
    await using _ = host
    await runtime.compact('talker', { messages: talk })
    expect(sent.length).to.be.above(1)
    for (const messages of sent) expect(tokensIn(messages)).to.be.at.most(2000)
  })

  it('leaves everything as it was where there is too little, or the caller cancels', async () => {
    const { host, runtime } = await runtimeOf()
    await using _ = host
    const few = runtime.compact('talker', { messages: [text('user', 'a')] })
    expect(await codeOf(few)).to.equal('COMPACTION_NEEDLESS')
    const signal = AbortSignal.abort('no')
    expect(await codeOf(runtime.compact('talker', { messages: talk, signal }))).to.equal('ABORTED')
    expect(await codeOf(runtime.compact('nobody', { messages: talk }))).to.equal('AGENT_NOT_FOUND')
  })
})
