import { expect } from 'chai'
import '../english.ts'
import { AGENT_SPEC_SCHEMA } from '../../../src/agent/index.ts'
import type { Values } from '../../../src/page/site/server/index.ts'

describe('the form for the specs of agents', () => {
  let layout: Values
  let schema: Values
  before(async () => {
    const { addFormWords } = await import('../../../src/page/site/forms/form-words.ts')
    addFormWords()
    const { specForm } = await import('../../../src/page/site/agents/spec-layout.ts')
    ;({ schema, layout } = specForm(AGENT_SPEC_SCHEMA))
  })
  const fieldOf = (name: string) => layout[name] as Values

  it('has a field with words for each member of a spec but its id', () => {
    const { id: _, endpoint: __, active_hook_filter: ___, ...stored } = AGENT_SPEC_SCHEMA.properties
    expect(schema).to.have.property('properties').that.includes.all.keys(Object.keys(stored))
    for (const name of Object.keys(stored)) {
      expect(fieldOf(name)['ui:title'], name).to.be.a('string').that.does.not.include('_')
    }
    expect(layout).not.to.have.property('id')
  })

  it('leaves a field of a newer server the title of its schema', async () => {
    const { specForm } = await import('../../../src/page/site/agents/spec-layout.ts')
    const field = { type: 'string', title: 'Newest setting' }
    const form = specForm({ type: 'object', properties: { newest_setting: field } })
    expect(form.layout['newest_setting']).to.not.have.property('ui:title')
    expect(form.schema).to.have.nested.property('properties.newest_setting.title', 'Newest setting')
  })

  it('asks for lists of names by lines, and for free objects as JSON', () => {
    for (const name of ['plugin_ids', 'allowed_tools', 'delegates']) {
      expect(fieldOf(name)['ui:field'], name).to.equal('lines')
    }
    for (const name of ['config', 'sections']) {
      expect(fieldOf(name)['ui:field'], name).to.equal('json')
    }
    expect(fieldOf('context_policy')).to.have.nested.property('max_output_tokens.ui:title')
  })

  it('has words for each choice, and for what a choice asks for', () => {
    const effort = fieldOf('reasoning_effort')['anyOf'] as readonly Values[]
    expect(effort[0]?.['ui:enumNames']).to.include('Very high')
    const mode = 'compaction_mode.ui:enumNames'
    expect(fieldOf('context_policy'))
      .to.have.nested.property(mode)
      .that.includes('The last messages stay')
    const conditions = fieldOf('stop_conditions')['items'] as Values
    for (const [name, field] of Object.entries(conditions)) {
      if (name.startsWith('ui:')) continue
      expect(Object(field)['ui:title'], name).to.be.a('string').that.does.not.include('_')
    }
    const kinds = Object(conditions['type'])['ui:enumNames'] as readonly string[]
    expect(kinds.filter((kind) => kind.includes('_'))).to.deep.equal([])
    expect(Object.keys(conditions)).to.include.members(['rounds', 'max_dollars', 'window'])
  })

  it('requires nothing of what may be absent', () => {
    expect(schema).not.to.have.property('required')
    expect(schema).not.to.have.nested.property('properties.team.required')
  })
})
