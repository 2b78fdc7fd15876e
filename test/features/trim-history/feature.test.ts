import { expect } from 'chai'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import instructions from '../../../features/instructions/index.ts'
import trimHistory from '../../../features/trim-history/index.ts'
import { run } from '../../../src/agent/index.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  type Message,
  textOf,
} from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { call, storedStep, text } from './conversations.ts'

/** A provider that answers with what the test hands it, and what it was sent. */
function witness(answer: (request: number) => Message = () => text('assistant', 'Fine.')) {
  const sent: (readonly Message[])[] = []
  const plugin = {
    kind: 'provider',
    name: 'p',
    getTags: () => ['text', 'tools'],
    getModels: () => ['known', 'unknown'],
    getModelInfo: (id: string) =>
      id === 'known' ? { contextWindow: 4000, maxOutputTokens: 1000 } : {},
    call: (native: readonly Message[], state: object) => {
      sent.push(native)
      return [[], [answer(sent.length)], native, state]
    },
  }
  return { plugin, sent }
}

const LOOK = {
  kind: 'tool',
  name: 'look',
  getToolSchemas: () => [{ name: 'look', description: 'looks', input_schema: { type: 'object' } }],
  executeTool: () => 'There is much to be seen. '.repeat(30),
}

async function hostOf(plugin: object, config: ConfigLayer = {}): Promise<Host> {
  const enabled_plugins = ['trim-history']
  return createHost({
    plugins: [plugin, LOOK, trimHistory],
    config: { enabled_plugins, ...config },
  })
}

const settingsOf = (own: object): ConfigLayer => ({ settings: { 'trim-history': { ...own } } })

/** A talk of so many turns, of about a hundred tokens each. */
function talk(turns: number): Message[] {
  const all = Array.from({ length: turns }, (_, at) => [
    text('user', `Question ${at}: what of the garden? `.repeat(6)),
    text('assistant', `Answer ${at}: it grows. `.repeat(6)),
  ])
  return [text('system', 'Be brief.'), ...all.flat(), text('user', 'And now?')]
}

function tokensIn(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + countTokens(textOf(message)), 0)
}

describe('trim-history', () => {
  it('is off until it is asked for', async () => {
    const host = await createHost({ plugins: [witness().plugin, trimHistory] })
    const [row] = await host.explain({}, { plugin: 'trim-history' })
    expect(row).to.include({ on: false, rule: 'off by default' })
    await host.close()
  })

  it('fits what is sent into the window of the model, in send and in stream, and says so', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin)
    const messages = talk(60)
    const given = structuredClone(messages)
    const results = [await host.send({}, messages), await host.stream({}, messages).result]
    // 4,000 without 1,000 for the answer and a margin of 800.
    for (const [at, { warnings, messages: answer }] of results.entries()) {
      expect(tokensIn(sent[at]!)).to.be.within(900, 2200)
      expect(sent[at]![0]).to.equal(messages[0])
      expect(sent[at]!.at(-1)).to.equal(messages.at(-1))
      expect(warnings).to.deep.equal([
        `trim-history: Earlier messages left out to fit into 2,200 tokens: ${messages.length - sent[at]!.length}`,
      ])
      expect(answer).to.deep.equal([text('assistant', 'Fine.')])
    }
    expect(sent[1]).to.deep.equal(sent[0])
    expect(messages).to.deep.equal(given)
    await host.close()
  })

  it('fits every step of a run, whose messages stay whole', async () => {
    const { plugin, sent } = witness((request) =>
      request < 30
        ? { role: 'assistant', parts: [call(`call-${request}`)] }
        : text('assistant', 'Seen.'),
    )
    const host = await hostOf(plugin)
    const result = await run(host, { messages: talk(20), maxSteps: 40 }).result
    expect(result).to.include({ status: 'done', steps: 30 })
    expect(result.messages).to.have.length(59)
    for (const messages of sent) {
      expect(messages.map(textOf)).to.include('Be brief.')
      expect(messages.map(textOf).join()).to.include('And now?')
      const ids = (type: string) =>
        messages.flatMap(({ parts }) =>
          parts.flatMap((part) =>
            part.type === type ? [(part as { callId: string }).callId] : [],
          ),
        )
      expect(ids('tool-result')).to.deep.equal(ids('tool-call'))
    }
    const cuts = new Set(sent.map((messages, at) => talk(20).length + 2 * at - messages.length))
    expect(cuts.size).to.be.within(3, 14)
    await host.close()
  })

  it('counts the tools on offer, and what the answer has to look like', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin)
    const messages = talk(15)
    const description = 'It looks at one thing after the other. '.repeat(100)
    const schema = { type: 'object', description }
    const response_format = { type: 'json-schema' as const, schema }
    await host.send({}, messages)
    await host.send({}, messages, {
      tools: [{ name: 'see', description: '', input_schema: schema }],
    })
    await host.send({ response_format }, messages)
    const [all, ...less] = sent.map(({ length }) => length)
    expect(all).to.equal(messages.length)
    for (const length of less) expect(length).to.be.below(messages.length)
    await host.close()
  })

  it('takes the settings for what the model says of itself', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin)
    const messages = talk(30)
    const lengthWith = async (config: ConfigLayer) => {
      await host.send(config, messages)
      return sent.at(-1)!.length
    }
    expect(await lengthWith(settingsOf({ context_window: 100_000 }))).to.equal(messages.length)
    expect(await lengthWith(settingsOf({ max_tokens: 300 }))).to.be.below(8)
    expect(await lengthWith({ ...settingsOf({ margin: 0.5, answer_tokens: 1500 }) })).to.be.below(
      12,
    )
    expect(await lengthWith({ max_output_tokens: 2700 })).to.be.below(12)
    await host.close()
  })

  it('counts and keeps what the features before it put in', async () => {
    const { plugin, sent } = witness()
    const rules = 'Say what you see, and nothing else. '.repeat(200)
    const host = await createHost({ plugins: [plugin, instructions, trimHistory] })
    const config = (text: string): ConfigLayer => ({
      enabled_plugins: ['instructions', 'trim-history'],
      settings: { instructions: { text } },
    })
    await host.send(config('Be kind.'), talk(15))
    await host.send(config(rules), talk(15))
    const [little, much] = sent
    expect(little).to.have.length(talk(15).length)
    expect(much!.length).to.be.below(20)
    expect(textOf(much![0]!)).to.equal(`${rules.trim()}\n\nBe brief.`)
    expect(tokensIn(much!)).to.be.at.most(2200)
    await host.close()
  })

  it('puts the note that it is given where messages were left out, and none where it is empty', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin)
    await host.send(settingsOf({ note: '[Gekürzt]' }), talk(60))
    await host.send(settingsOf({ note: '' }), talk(60))
    await host.send({}, talk(60))
    const [own, none, usual] = sent.map((messages) => textOf(messages[1]!))
    expect(own).to.match(/^\[Gekürzt\]\n\nQuestion/)
    expect(none).to.match(/^Question/)
    expect(usual).to.match(
      /^\[Earlier messages of this conversation were left out here\.\]\n\nQuestion/,
    )
    await host.close()
  })

  it('takes the middle out of long results', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin)
    const messages = [
      text('user', 'Look'),
      ...storedStep('c', 'A long way to the sea. '.repeat(400)),
    ]
    await host.send(settingsOf({ max_result_tokens: 200 }), messages)
    const [part] = sent[0]!.at(-1)!.parts as unknown as readonly [{ readonly output: string }]
    expect(countTokens(part.output)).to.be.within(120, 200)
    await host.close()
  })

  it('leaves all in and warns where no window is known', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin, { model: 'unknown' })
    const messages = talk(60)
    const { warnings } = await host.send({}, messages)
    expect(sent[0]).to.have.ordered.members(messages)
    expect(warnings.join()).to.include('The context window of the model is unknown')
    expect((await host.send(settingsOf({ max_tokens: 500 }), messages)).warnings.join()).to.include(
      'left out',
    )
    await host.close()
  })

  it('ends a request whose newest message is too long, before it is sent', async () => {
    const { plugin, sent } = witness()
    const host = await hostOf(plugin)
    const error = await errorOf(host.send({}, 'How long is the way to the sea? '.repeat(500)))
    expect(error).to.include({
      code: 'CONTEXT_OVERFLOW',
      plugin: 'trim-history',
      hook: 'editMessages',
    })
    expect(error.message).to.include(
      '(a context window of 4,000, minus 1,000 for the answer and a margin of 800)',
    )
    expect(sent).to.deep.equal([])
    await host.close()
  })

  it('refuses settings that are none', async () => {
    const host = await hostOf(witness().plugin)
    const faults = {
      context_window: [0, 1.5, '8000', 1e10],
      max_tokens: [0, null],
      answer_tokens: [-1],
      margin: [-0.1, 0.91, '20%'],
      max_result_tokens: [99],
      note: [false, 'x'.repeat(1001)],
    }
    for (const [name, values] of Object.entries(faults)) {
      for (const value of values) {
        const error = await errorOf(host.send(settingsOf({ [name]: value }), 'Hello'))
        expect(error.code, `${name} ${value}`).to.equal('SETTINGS_INVALID')
        expect(error.pointer).to.equal(`/settings/trim-history/${name}`)
      }
    }
    expect((await errorOf(host.send(settingsOf({ windows: 1 }), 'Hello'))).code).to.equal(
      'SETTINGS_INVALID',
    )
    await host.close()
  })
})
