import { expect } from 'chai'
import { z } from 'zod'
import { SchemaSource } from '../../../src/core/tool-schemas/source.ts'

describe('a schema of a tool', () => {
  it('is refused if it is one of a library, with what to give', () => {
    expect(() => new SchemaSource(z.object({}) as never)).to.throw('give its JSON Schema')
    expect(() => new SchemaSource({ properties: { q: z.string() } }))
      .to.throw('of zod `z.toJSONSchema(schema)`')
      .with.property('pointer', '/properties/q')
  })

  it('has at most 120,000 objects and lists', () => {
    const holding = (count: number) => ({ enum: Array.from({ length: count - 2 }, () => []) })
    expect(() => new SchemaSource(holding(120_000))).to.not.throw()
    expect(() => new SchemaSource(holding(120_001)))
      .to.throw('it has more than 120000 objects and lists')
      .with.property('code', 'TOOL_SCHEMA_INVALID')
  })
})
