import type { JsonObject } from '@braidwork/plugin'
import { expect } from 'chai'
import { sameSchema } from '../../../src/core/config/same-schema.ts'

const LONG = 200_000
const schemaOf = (name: string, length = 0) => ({ title: name, description: 'a'.repeat(length) })

describe('sameSchema', () => {
  it('returns the first of equal schemas', () => {
    const first = schemaOf('one')
    expect(sameSchema(first)).to.equal(first)
    expect(sameSchema(schemaOf('one'))).to.equal(first)
    expect(sameSchema(first)).to.equal(first)
    expect(sameSchema(schemaOf('another'))).to.not.equal(first)
  })

  it('forgets the schemas that were not asked for the longest time, once their texts are too many', () => {
    const [old, used] = [schemaOf('old', LONG), schemaOf('used', LONG)].map(sameSchema)
    for (let at = 0; at < 9; at++) {
      sameSchema(schemaOf(`more ${at}`, LONG))
      expect(sameSchema(schemaOf('used', LONG))).to.equal(used)
    }
    expect(sameSchema(schemaOf('old', LONG))).to.not.equal(old)
  })

  it('returns a schema as it is if it is long, or is not JSON', () => {
    sameSchema(schemaOf('long', 300_000))
    const long = schemaOf('long', 300_000)
    expect(sameSchema(long)).to.equal(long)
    const round: JsonObject = { type: 'array' }
    Object.assign(round, { items: round })
    expect(sameSchema(round)).to.equal(round)
  })
})
