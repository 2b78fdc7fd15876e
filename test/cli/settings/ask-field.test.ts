import { expect } from 'chai'
import { askField, askObject } from '../../../src/cli/settings/ask-field.ts'
import { type Field, fieldsOfSchema } from '../../../src/cli/settings/fields.ts'
import { person } from './person.ts'

function field(schema: object, isRequired = false): Field {
  const required = isRequired ? { required: ['a'] } : {}
  const [one] = fieldsOfSchema({ type: 'object', properties: { a: schema }, ...required })
  return one ?? expect.fail('no field')
}

describe('askField', () => {
  it('checks a text and a number as they are typed', async () => {
    const { prompts, heard } = person('x', '12', '1.5', '3')
    const schema = { type: 'integer', maximum: 9 }
    expect(await askField(field(schema), undefined, prompts)).to.deep.equal({ value: 3 })
    expect(heard).to.deep.equal([
      'Enter a number.',
      'The value must be <= 9.',
      'The value must be of type integer.',
    ])
  })

  it('takes nothing for "not set", but where a value is needed', async () => {
    const schema = { type: 'string', minLength: 2 }
    expect(await askField(field(schema), 'a', person('').prompts)).to.deep.equal({
      value: undefined,
    })
    const { prompts, heard } = person('', 'ab')
    expect(await askField(field(schema, true), 'a', prompts)).to.deep.equal({ value: 'ab' })
    expect(heard).to.deep.equal(['Enter a value.'])
  })

  it('offers choices by their titles, and none of them where none is needed', async () => {
    const schema = { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }
    expect(await askField(field(schema), 1, person('2').prompts)).to.deep.equal({ value: 2 })
    expect(await askField(field(schema), 1, person('not set').prompts)).to.deep.equal({
      value: undefined,
    })
    expect(await askField(field({ type: 'boolean' }), true, person('no').prompts)).to.deep.equal({
      value: false,
    })
  })

  it('gives no answer where the person goes back', async () => {
    for (const schema of [
      { type: 'string' },
      { enum: ['a'] },
      { type: 'array', items: { type: 'string' } },
    ])
      expect(await askField(field(schema), undefined, person(undefined).prompts)).to.equal(
        undefined,
      )
  })

  it('adds, changes and removes items of a list, which fits in the end', async () => {
    const schema = { type: 'array', items: { type: 'number' }, minItems: 2 }
    const { prompts, heard } = person(
      'Add',
      '1',
      'Done',
      'Add',
      '2',
      'Add',
      '3',
      '2. 2',
      'Remove',
      '1. 1',
      'Change',
      '7',
      'Done',
    )
    expect(await askField(field(schema), undefined, prompts)).to.deep.equal({ value: [7, 3] })
    expect(heard).to.deep.equal(['The value must NOT have fewer than 2 items.'])
  })

  it('asks for rows of a table column by column', async () => {
    const items = {
      type: 'object',
      properties: { name: { type: 'string' }, on: { type: 'boolean' } },
      required: ['name'],
    }
    const { prompts } = person('Add', 'n', 'yes', 'Done')
    const answer = await askField(field({ type: 'array', items }), undefined, prompts)
    expect(answer).to.deep.equal({ value: [{ name: 'n', on: true }] })
  })

  it('chooses several, and again where they do not fit', async () => {
    const schema = { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 }
    const { prompts, heard } = person([], ['b'])
    expect(await askField(field(schema), undefined, prompts)).to.deep.equal({ value: ['b'] })
    expect(heard).to.have.length(1)
  })
})

describe('askObject', () => {
  it('asks again where the whole does not fit', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    }
    const { prompts, heard } = person('', '', '', 'x')
    expect(await askObject(schema, undefined, prompts)).to.deep.equal({ value: { b: 'x' } })
    expect(heard).to.have.length(1)
  })

  it('gives up where no question could mend it', async () => {
    const schema = { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] }
    const { prompts, heard } = person()
    expect(await askObject(schema, undefined, prompts)).to.equal(undefined)
    expect(heard).to.deep.equal(['"a" is missing.'])
  })
})
