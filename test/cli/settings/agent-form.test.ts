import { expect } from 'chai'
import { AgentForm } from '../../../src/cli/settings/agent-form.ts'
import { person } from './person.ts'

const KNOWN = {
  models: ['small', 'large'],
  plugins: ['notes'],
  tools: ['calculate', 'current_time'],
}

describe('the form of an agent', () => {
  it('asks for the fields of the schema, by what an agent may refer to', async () => {
    const { prompts, offered } = person(
      'Description',
      'Calculates.',
      'Model',
      'large',
      'System prompt',
      'You calculate.',
      'Max rounds',
      '4',
      'Reasoning effort',
      'low',
      'Plugins',
      ['notes'],
      'Allowed tools',
      ['calculate'],
      'Excluded tool patterns',
      'Add',
      'write*',
      'Done',
      'Save',
    )
    const made = await new AgentForm(KNOWN, prompts).fillIn({ id: 'helper' })
    expect(made).to.deep.equal({
      id: 'helper',
      description: 'Calculates.',
      model_id: 'large',
      system_prompt: 'You calculate.',
      max_rounds: 4,
      reasoning_effort: 'low',
      plugin_ids: ['notes'],
      allowed_tools: ['calculate'],
      excluded_tool_patterns: ['write*'],
    })
    expect(offered[0]?.abouts).to.include({ Description: 'not set', Save: '' })
    expect(offered.at(-1)?.abouts).to.include({ Model: 'large', 'Allowed tools': 'calculate' })
  })

  it('keeps what it does not ask for, and what the lists do not know', async () => {
    const spec = {
      id: 'helper',
      model_id: 'gone',
      allowed_tools: ['later'],
      excluded_tools: null,
      reasoning_effort: 100,
      config: { temperature: 0 },
    } as const
    const { prompts } = person('Allowed tools', ['later', 'calculate'], 'Model', 'gone', 'Save')
    expect(await new AgentForm(KNOWN, prompts).fillIn(spec)).to.deep.equal({
      ...spec,
      allowed_tools: ['calculate', 'later'],
    })
  })

  it('asks what an empty list of allowed tools means', async () => {
    const spec = { id: 'helper', allowed_tools: ['calculate'], excluded_tools: ['calculate'] }
    const none = person('Allowed tools', [], 'An empty list, which allows no tool', 'Save')
    expect((await new AgentForm(KNOWN, none.prompts).fillIn(spec))?.allowed_tools).to.deep.equal([])
    const unset = person('Allowed tools', [], 'Not set', 'Excluded tools', [], 'Save')
    expect(await new AgentForm(KNOWN, unset.prompts).fillIn(spec)).to.deep.equal({ id: 'helper' })
    const back = person('Allowed tools', [], undefined, 'Save')
    expect(await new AgentForm(KNOWN, back.prompts).fillIn(spec)).to.deep.equal(spec)
  })

  it('changes nothing where the person discards', async () => {
    const { prompts } = person('Description', 'x', 'Discard')
    expect(await new AgentForm(KNOWN, prompts).fillIn({ id: 'helper' })).to.equal(undefined)
  })

  it('is left by Escape in its menu, which asks only where changes would be lost', async () => {
    const spec = { id: 'helper', max_rounds: 3 }
    const unchanged = person('Max rounds', '3', undefined)
    expect(await new AgentForm(KNOWN, unchanged.prompts).fillIn(spec)).to.equal(undefined)
    const lost = person('Max rounds', '4', undefined, 'Discard')
    expect(await new AgentForm(KNOWN, lost.prompts).fillIn(spec)).to.equal(undefined)
    expect(lost.offered.at(-1)?.message).to.equal('Discard the changes?')
    for (const answer of ['Continue editing', undefined]) {
      const kept = person('Max rounds', '4', undefined, answer, 'Save')
      const made = await new AgentForm(KNOWN, kept.prompts).fillIn(spec)
      expect(made).to.deep.equal({ id: 'helper', max_rounds: 4 })
    }
  })

  it('asks also before changes are lost that were to be saved once, but did not fit', async () => {
    const { prompts, left } = person(undefined, 'Discard')
    const form = new AgentForm(KNOWN, prompts)
    expect(await form.fillIn({ id: 'helper', max_rounds: 4 }, { id: 'helper' })).to.equal(undefined)
    expect(left).to.deep.equal([])
  })
})
