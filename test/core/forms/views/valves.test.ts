import { expect } from 'chai'
import { editConfig } from '../../../../src/core/index.ts'
import { viewOf } from './valves-view.ts'

describe('the settings as valves of Open WebUI', () => {
  it('are a pydantic model with the schema and the values of its form', async () => {
    const { source, spec, values } = await viewOf({ size: 3, on: true, words: ['a'] })
    expect(source.split('class Valves(BaseModel):\n')[0], 'what the model needs').to.equal(
      'from typing import Literal\n\nfrom pydantic import BaseModel, Field\n\n\n',
    )
    expect(source).to.include(
      '    my_e__kind: Literal["x", "y"] = Field(default="y", title="Kind", description="It\'s")\n',
    )
    expect(spec).to.deep.include({ title: 'Valves', type: 'object' })
    const { properties } = spec as { properties: { [name: string]: object } }
    expect(properties['my_e__kind']).to.deep.equal({
      type: 'string',
      enum: ['x', 'y'],
      title: 'Kind',
      description: "It's",
      default: 'y',
    })
    expect(properties['my_e__some']).to.deep.include({ description: '(p, q)', default: null })
    expect(properties['my_e__share']).to.deep.include({ minimum: 0, exclusiveMaximum: 1 })
    expect(properties['my_e__words']).to.not.have.property('description')
    expect(values, 'without what is a default').to.deep.equal({ my_e__size: 3 })
  })

  it('mask secrets as they are typed, and never have one', async () => {
    const { spec, values } = await viewOf({ key: 'sesame' })
    const { properties } = spec as { properties: { [name: string]: object } }
    expect(properties['my_e__key']).to.deep.include({ input: { type: 'password' } })
    expect(values).to.deep.equal({})
  })

  it('leave out lists that commas would split, tables, and no name twice', async () => {
    const { left, pointers } = await viewOf({ words: ['a,b'] })
    const reason = 'a list that a comma-separated text cannot represent'
    const pointersLeft = ['words', 'split', 'rows'].map((name) => `/settings/my-e/${name}`)
    expect(left).to.deep.equal(pointersLeft.map((pointer) => ({ pointer, reason })))
    expect(pointers).to.include({
      my_e__a_b: '/settings/my-e/a-b',
      my_e__a_b_2: '/settings/my-e/a_b',
    })
  })

  it('leave out lists whose texts would change in a comma-separated text', async () => {
    for (const text of ['', ' a', 'a ', 'a,b']) {
      const { left } = await viewOf({ words: [text] })
      expect(
        left.map(({ pointer }) => pointer),
        text,
      ).to.include('/settings/my-e/words')
    }
  })

  it('come back without the defaults that the form shows for what is not set', async () => {
    const config = { settings: { 'my-e': { count: 2, on: false } } }
    const view = await viewOf(config.settings['my-e'])
    const shown = { my_e__size: 2, my_e__kind: 'y', my_e__words: ['a'], my_e__count: 2 }
    expect(editConfig(config, view, { ...shown, my_e__on: false })).to.deep.equal(config)
    expect(editConfig({}, await viewOf(), { ...shown, my_e__on: true })).to.deep.equal({
      settings: { 'my-e': { count: 2 } },
    })
    const changed = editConfig(config, view, { ...shown, my_e__kind: 'x', my_e__on: true })
    expect(changed).to.deep.equal({ settings: { 'my-e': { count: 2, on: true, kind: 'x' } } })
  })

  it('come back as a config: what is empty is not set', async () => {
    const view = await viewOf({ size: 3, count: 2 })
    const config = { settings: { 'my-e': { size: 3, count: 2 } } }
    const answer = { my_e__size: null, my_e__count: 0, my_e__words: [''], my_e__text: '', other: 1 }
    expect(editConfig(config, view, answer)).to.deep.equal({ settings: { 'my-e': { count: 0 } } })
  })
})
