import { expect } from 'chai'
import {
  draftOf,
  inView,
  specOf,
  withText,
  withValues,
} from '../../../src/page/site/agents/spec-draft.ts'

describe('the draft of a spec', () => {
  const draft = draftOf({ id: 'poet', system_prompt: 'Rhyme.' })

  it('has no id, which the address names', () => {
    expect(specOf(draft)).to.deep.equal({ system_prompt: 'Rhyme.' })
  })

  it('shows in each view what was changed in the other', () => {
    const filled = withValues(draft, { system_prompt: 'Rhyme.', max_rounds: 3 })
    const json = inView(filled, 'json')
    expect(JSON.parse(json.text)).to.deep.equal({ system_prompt: 'Rhyme.', max_rounds: 3 })
    const back = inView(withText(json, '{"max_rounds": 4}'), 'form')
    expect(specOf(back)).to.deep.equal({ max_rounds: 4 })
  })

  it('keeps a text as it was typed, until the form changes what it says', () => {
    const typed = '{"max_rounds":\n\n4}'
    const text = withText(inView(draft, 'json'), typed)
    const form = inView(text, 'form')
    expect(inView(form, 'json').text).to.equal(typed)
    expect(inView(withValues(form, { max_rounds: 5 }), 'json').text).to.include('5')
  })

  it('stays in the view of the text while the text is no JSON', () => {
    const broken = withText(inView(draft, 'json'), '{"max_rounds": ')
    expect(() => inView(broken, 'form')).to.throw(/JSON/)
    expect(() => specOf(broken)).to.throw(/JSON/)
    expect(() => specOf(withText(broken, '[]'))).to.throw('A spec is a JSON object.')
  })

  it('leaves out what a form has emptied, and keeps what was empty', () => {
    const stored = draftOf({ allowed_tools: [], config: {}, team: { members: ['a', 'b'] } })
    const emptied = { allowed_tools: [], config: {}, team: { members: [] }, max_rounds: undefined }
    expect(specOf(withValues(stored, emptied))).to.deep.equal({ allowed_tools: [], config: {} })
  })

  it('is the same draft where a form tells of no change', () => {
    expect(withValues(draft, { system_prompt: 'Rhyme.', sections: {} })).to.equal(draft)
  })
})
