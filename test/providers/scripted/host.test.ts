import { expect } from 'chai'
import instructions from '../../../features/instructions/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import { textOf } from '../../../src/plugin/events/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { rules } from './ask.ts'

const SETTINGS = {
  scripted: { delay_ms: 0 },
  clock: { now: '2026-11-21T12:00:00Z', time_zone: 'UTC' },
}

async function host(config: object = {}) {
  return createHost({
    plugins: [scripted, calculator, clock, instructions],
    config: { settings: SETTINGS, ...config },
  })
}

describe('a host of the bundled plugins', () => {
  it('answers the first question of the README, tools included', async () => {
    await using own = await host()
    const result = await run(own, { config: {}, messages: 'What is 12 * 34, and what day is it?' })
      .result
    expect(result.status).to.equal('done')
    expect(result.messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'tool',
      'assistant',
    ])
    const last = result.messages.at(-1)
    expect(last && textOf(last)).to.equal('12 * 34 = 408, and today is Saturday, 21 November 2026.')
  })

  it('shows why tools are on for one model and off for the other', async () => {
    await using own = await host()
    const rulesFor = async (model: string) => {
      const explained = await own.explain({ model }, { plugin: 'calculator' })
      return explained
        .filter(({ plugin }) => plugin === 'calculator')
        .map(({ on, rule }) => [on, rule])
    }
    expect(await rulesFor('scripted-1')).to.deep.equal([[true, 'tags']])
    expect(await rulesFor('scripted-mini')).to.deep.equal([[false, 'missing tags']])
  })

  it('tells the provider the instructions, from which it answers', async () => {
    await using own = await host({ enabled_plugins: ['instructions'] })
    const config = { settings: { instructions: { text: 'The office is in Berlin.' } } }
    const { messages } = await own.send(config, 'Where is the office?')
    expect(messages.map(textOf)).to.deep.equal(['The office is in Berlin.'])
  })

  it('gives a fault its code, and keeps what had arrived', async () => {
    await using own = await host()
    const script = rules([
      undefined,
      { text: 'one two three', fault: { type: 'cut', after_chunks: 2 } },
    ])
    const { result } = own.stream({ settings: { scripted: { script, delay_ms: 0 } } }, 'Go')
    const { status, error, messages } = await result
    expect([status, error?.code]).to.deep.equal(['failed', 'STREAM_INTERRUPTED'])
    expect(messages.map(textOf)).to.deep.equal(['one two'])
  })

  it('refuses settings that no plugin here knows', async () => {
    await using own = await host()
    for (const plugin of ['scripted', 'calculator', 'clock']) {
      const error = await errorOf(own.send({ settings: { [plugin]: { color: 'red' } } }, 'Go'))
      expect(error.pointer).to.match(new RegExp(`^/settings/${plugin}`))
    }
  })

  it('can be asked what it would send', async () => {
    await using own = await host()
    const { native } = await own.dryRun({ model: 'scripted-1' }, 'Go')
    expect(native).to.deep.include({
      model: 'scripted-1',
      tool_choice: 'auto',
      stop: [],
      script: [],
    })
  })
})
