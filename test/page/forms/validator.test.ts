import { expect } from 'chai'
import '../english.ts'
import { validator } from '../../../src/page/site/forms/validator.ts'

type Schema = Parameters<typeof validator.validateFormData>[1]

const COLORS = Array.from({ length: 14 }, (_, at) => `c${at}`)
const RULE: Schema = {
  type: 'object',
  properties: { label: { type: 'string' } },
  required: ['label'],
}
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    colors: { type: 'array', items: { type: 'string', enum: COLORS } },
    names: { type: 'array', items: { type: 'string' } },
    rules: { type: 'array', items: RULE },
    count: { type: ['integer', 'string', 'null'] },
  },
}

/** The faults of a form, each with its place. */
function faultsOf(data: object): readonly (readonly [string | undefined, string | undefined])[] {
  const { errors } = validator.validateFormData(data, SCHEMA)
  return errors.map(({ property, message }) => [property, message])
}

describe('the check of a form', () => {
  it('says once of a new entry of a list what it may be', () => {
    const listed = 'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, …'
    const fault = `Choose one of these: ${listed}.`
    expect(faultsOf({ colors: [null] })).to.deep.equal([['.colors.0', fault]])
    expect(faultsOf({ names: [null] })).to.deep.equal([['.names.0', 'Fill this in.']])
  })

  it('tells of a missing value at its own field', () => {
    expect(faultsOf({ rules: [{}] })).to.deep.equal([['.rules.0.label', 'Fill this in.']])
  })

  it('names types in words', () => {
    expect(faultsOf({ count: true })).to.deep.equal([
      ['.count', 'This must be a whole number or a text.'],
    ])
  })
})
