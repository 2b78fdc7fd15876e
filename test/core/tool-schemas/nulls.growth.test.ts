import { withoutNulls } from '../../../src/core/tool-schemas/index.ts'
import { expectLinear, type Work } from '../../helpers/doubling.ts'

const BRANCHES = ['a', 'b', 'c'].map((kind) => ({
  type: 'object',
  properties: { kind: { const: kind }, x: { type: 'string' }, next: { $ref: '#' } },
  required: ['kind'],
}))
const SCHEMA = {
  type: 'object',
  properties: { one: { anyOf: BRANCHES }, list: { type: 'array', items: { anyOf: BRANCHES } } },
}

/** Arguments of a size, each with nulls that have to be looked at. */
const ARGUMENTS: { readonly [title: string]: (size: number) => object } = {
  'items of a list, each one of several objects': (size) => ({
    list: Array.from({ length: size }, () => ({ kind: 'c', x: null })),
  }),
  'members that no schema names': (size) => ({
    one: Object.fromEntries(Array.from({ length: size }, (_, at) => [`m${at}`, null])),
  }),
  'nulls in lists in lists': (size) => ({
    list: Array.from({ length: size / 10 }, () => Array.from({ length: 10 }, () => [null])),
  }),
}

describe('taking out the nulls of a strict call takes time that grows as its arguments do', function () {
  this.timeout(300_000)
  for (const [title, argumentsOf] of Object.entries(ARGUMENTS)) {
    it(title, async () => {
      const make = (size: number): Work => {
        const input = argumentsOf(size)
        return () => withoutNulls(SCHEMA, input)
      }
      await expectLinear({ name: title, make })
    })
  }
})
