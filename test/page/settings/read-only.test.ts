import { expect } from 'chai'
import { withReadOnly } from '../../../src/page/site/settings/read-only.ts'

const text = { type: 'string' }

describe('fields that a person may not change', () => {
  it('are shown and cannot be changed', () => {
    const schema = {
      properties: {
        seed: text,
        model: text,
        settings: {
          properties: { clock: { properties: { time_zone: text, now: text } }, other: {} },
        },
      },
    }
    const uiSchema = {
      model: { 'ui:title': 'Model' },
      settings: { 'ui:options': { label: false }, hidden: { 'ui:title': 'By a condition' } },
    }
    const settable = ['/seed', '/settings/clock/time_zone']
    const view = { schema, uiSchema, settable, formData: {}, recomputeOn: [] }
    expect(withReadOnly(view)).to.deep.equal({
      seed: {},
      model: { 'ui:title': 'Model', 'ui:readonly': true },
      settings: {
        'ui:options': { label: false },
        clock: { time_zone: {}, now: { 'ui:readonly': true } },
        other: { 'ui:readonly': true },
        hidden: { 'ui:title': 'By a condition', 'ui:readonly': true },
      },
    })
  })
})
