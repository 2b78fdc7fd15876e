import { faultFinderOf, validatorOf } from '../../../src/core/config/json-schema.ts'
import { expectLinear } from '../../helpers/doubling.ts'

const $defs = {
  a: { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind', 'x'] },
  b: { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind', 'y'] },
}
const LIST = {
  type: 'array',
  items: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] },
  $defs,
}
const CHAIN = {
  anyOf: [
    { type: 'null' },
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] },
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['x'] },
  ],
}

function chain(depth: number): unknown {
  let value: unknown = 5
  for (let at = 0; at < depth; at++) value = { next: value }
  return value
}

describe('finding the fault of a value with alternatives takes time that grows as the value does', function () {
  this.timeout(300_000)

  it('in a list', async () => {
    const faultsOf = await faultFinderOf(LIST)
    const make = (length: number) => {
      const list = Array.from({ length }, () => ({ kind: 'a' }))
      return () => faultsOf(list)
    }
    await expectLinear({ name: 'a list', sizes: [2_000, 4_000, 8_000], make })
  })

  it('of alternatives in alternatives', async () => {
    const faultOf = await validatorOf(CHAIN)
    const make = (depth: number) => {
      const value = chain(depth)
      return () => faultOf(value)
    }
    await expectLinear({ name: 'a chain', sizes: [100, 200, 400], make })
  })
})
