import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { ask, configOf, PLUGINS } from './ask.ts'

describe('the models of the scripted provider', () => {
  it('take and give text, for nothing', () => {
    const facts = { input: ['text'], output: ['text'], price: { input: 0, output: 0 } }
    for (const model of ['scripted-1', 'scripted-1-mini', 'unknown']) {
      expect(scripted.getModelInfo(model)).to.deep.include(facts)
    }
  })

  it('say what they are, and which tools they can call', async () => {
    const { text } = await ask('Who are you?')
    expect(text).to.include('There is no model behind me')
    expect(text).to.include('I can call calculate, current_time.')
    const alone = await ask('Who are you?', configOf(), { plugins: PLUGINS.slice(0, 1) })
    expect(alone.text).to.include('No tools are offered to me.')
  })
})
