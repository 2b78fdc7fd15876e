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

  it('in a list of many alternatives, and in a single value of them', async () => {
    const alternatives = (length: number) =>
      Array.from({ length }, (_, at) => ({
        type: 'object',
        properties: { k: { const: at } },
        required: ['k'],
      }))
    const list = async (length: number, items: number) => {
      const schema = { type: 'array', items: { anyOf: alternatives(length) } }
      const faultsOf = await faultFinderOf(schema)
      const value = Array.from({ length: items }, () => ({ k: 'x' }))
      return () => faultsOf(value)
    }
    const ofItems = new Map<number, () => unknown>()
    for (const items of [100, 200, 400]) ofItems.set(items, await list(100, items))
    const make = (items: number) => ofItems.get(items) ?? (() => undefined)
    await expectLinear({ name: 'items', sizes: [100, 200, 400], make })
    const ofOne = new Map<number, () => unknown>()
    for (const length of [300, 600, 1_200]) {
      const numbers = Array.from({ length }, (_, at) => ({ type: 'number', minimum: at + 10 }))
      const faultOf = await validatorOf({ anyOf: numbers })
      ofOne.set(length, () => faultOf(5))
    }
    const makeOne = (length: number) => ofOne.get(length) ?? (() => undefined)
    await expectLinear({ name: 'alternatives', sizes: [300, 600, 1_200], make: makeOne })
  })

  it('of equal items', async () => {
    const faultOf = await validatorOf({ type: 'array', uniqueItems: true })
    const make = (length: number) => {
      const list = Array.from({ length }, (_, at) => ({ at }))
      return () => faultOf(list)
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
