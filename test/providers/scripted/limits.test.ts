import { expect } from 'chai'
import type { Config } from '../../../src/plugin/config.ts'
import { usageFaults } from '../../../src/plugin/events/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { ask, assistant, configOf, rules, user } from './ask.ts'

const TEXT = 'one two three four five'

async function limited(limits: Config, then: object = { text: TEXT }) {
  const { message, text } = await ask('Go', configOf({ script: rules([undefined, then]) }, limits))
  return {
    text,
    reason: message.metadata?.finishReason,
    usage: message.metadata?.usage,
    parts: message.parts,
  }
}

describe('limits of an answer of the scripted provider', () => {
  it('end it at the first stop text, which is left out', async () => {
    expect(await limited({ stop: 'three' })).to.include({ text: 'one two ', reason: 'stop' })
    expect(await limited({ stop: ['four', 'two'] })).to.include({ text: 'one ', reason: 'stop' })
    expect(await limited({ stop: ['six', ''] })).to.include({ text: TEXT, reason: 'stop' })
  })

  it('end it where its tokens are used up, with the reason "length"', async () => {
    expect(await limited({ max_output_tokens: 2 })).to.include({
      text: 'one two',
      reason: 'length',
    })
    expect(await limited({ max_output_tokens: 5 })).to.include({ text: TEXT, reason: 'stop' })
    expect((await limited({ max_output_tokens: 2 })).usage).to.include({ output: 2 })
  })

  it('count reasoning, and drop a call that does not fit', async () => {
    const then = { reasoning: 'a b', tool_calls: [{ name: 'look', arguments: '{"a": 1}' }] }
    expect((await limited({ max_output_tokens: 1 }, then)).parts).to.have.length(1)
    const { parts, reason } = await limited({ max_output_tokens: 3 }, then)
    expect(parts.map(({ type }) => type)).to.deep.equal(['reasoning'])
    expect(reason).to.equal('length')
    expect((await limited({ max_output_tokens: 4 }, then)).reason).to.equal('tool-calls')
  })

  it('generate nothing after a stop', async () => {
    const then = { text: TEXT, tool_calls: [{ name: 'look' }] }
    const { parts, reason } = await limited({ stop: 'three' }, then)
    expect(parts.map(({ type }) => type)).to.deep.equal(['text'])
    expect(reason).to.equal('stop')
  })

  it('are those of the model too', async () => {
    const long = 'word '.repeat(16_001)
    const error = await errorOf(ask(long, configOf({}, { model: 'scripted-mini' })))
    expect(error).to.include({ code: 'CONTEXT_OVERFLOW', retryable: false })
    expect((await ask(long)).text).to.include('I cannot answer')
  })
})

describe('usage of the scripted provider', () => {
  it('counts words, and the reasoning within the output', async () => {
    const { usage } = await limited({}, { reasoning: 'a b c', text: 'd e' })
    expect(usage).to.include({ output: 5, reasoning: 3 })
    expect(usageFaults(usage ?? {})).to.deep.equal([])
  })

  it('counts nothing that a model does not write, such as results and sources', async () => {
    const call = { name: 'look', arguments: '{"a": 1}' }
    const written = { text: 'd e', tool_calls: [call] }
    const whole = {
      text: 'd e',
      tool_calls: [{ ...call, output: 'a long result of many words' }],
      sources: [{ url: 'https://a.test/' }],
    }
    const [alone, shown] = [await limited({}, written), await limited({}, whole)]
    expect(shown.parts.map(({ type }) => type)).to.include.members(['tool-result', 'source'])
    expect(shown.usage?.output).to.equal(alone.usage?.output)
  })

  it('grows with what is sent, and has no counts that are not known', async () => {
    const short = await ask('Hello')
    const long = await ask([user('Hello you'), assistant('Hi'), user('Hello')])
    const inputs = [short, long].map(({ message }) => message.metadata?.usage?.input ?? 0)
    expect(inputs[1]! - inputs[0]!).to.equal(3)
    expect(short.message.metadata?.usage).to.have.all.keys('input', 'output', 'raw')
  })
})

describe('what the scripted provider cannot honor', () => {
  it('is a warning', async () => {
    const { warnings } = await ask('Hello', configOf({}, { temperature: 1, seed: 3 }))
    expect(warnings).to.deep.equal([
      '"temperature" has no effect: provider "scripted" answers the same each time.',
    ])
  })
})
