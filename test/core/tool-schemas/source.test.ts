import { expect } from 'chai'
import { SchemaSource } from '../../../src/core/tool-schemas/source.ts'

describe('a schema of a tool', () => {
  it('has at most 120,000 objects and lists', () => {
    const holding = (count: number) => ({ enum: Array.from({ length: count - 2 }, () => []) })
    expect(() => new SchemaSource(holding(120_000))).to.not.throw()
    expect(() => new SchemaSource(holding(120_001)))
      .to.throw('it has more than 120000 objects and lists')
      .with.property('code', 'TOOL_SCHEMA_INVALID')
  })
})
