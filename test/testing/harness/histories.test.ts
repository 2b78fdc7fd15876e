import { expect } from 'chai'
import { validatorOf } from '../../../src/core/internal.ts'
import { HISTORIES, LOOKUP } from '../../../src/testing/harness/histories.ts'

describe('the tool of the histories', () => {
  it('takes the arguments of all its calls, and no others', async () => {
    const validate = await validatorOf(LOOKUP.input_schema)
    const calls = Object.values(HISTORIES)
      .flat()
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    expect(calls).to.have.length.at.least(3)
    for (const { name, input } of calls) {
      expect(name).to.equal(LOOKUP.name)
      expect(validate(input)).to.equal(undefined)
    }
    for (const input of ['Assam', ['Assam'], {}, { tea_name: 7 }, { tea_name: 'Assam', cups: 2 }])
      expect(validate(input), JSON.stringify(input)).to.be.an('object')
  })
})
