import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { validatorOf } from '../../../src/core/config/json-schema.ts'
import { registerValidator } from '../../../src/plugin/internal.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('validatorOf', () => {
  it('names where a value is wrong, and how', async () => {
    const validate = await validatorOf({
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { enum: ['c', 'f'] },
        days: { type: 'integer', minimum: 1 },
      },
      required: ['city'],
      additionalProperties: false,
    })
    expect(validate({ city: 'Rome', unit: 'c', days: 2 })).to.equal(undefined)
    expect(validate({})).to.deep.equal({ pointer: '/city', message: '"city" is missing' })
    expect(validate({ city: 3 })?.pointer).to.equal('/city')
    expect(validate({ city: 'Rome', unit: 'k' })?.message).to.equal(
      '"unit" must be one of "c", "f"',
    )
    expect(validate({ city: 'Rome', dayz: 1 })?.message).to.contain('Did you mean "days"?')
  })

  it('judges multiples as decimal numbers, whatever a division of floats says', async () => {
    const MULTIPLES: readonly (readonly [step: number, multiples: number[], others: number[]])[] = [
      [0.1, [0.3, 0.7, -1.1, 0, 1e9 + 0.3, 1e308, 123_456_789.3], [0.35, 0.31, 1e-12, 5e-324]],
      [0.01, [4.35, 1.1, 19.99, 1e-2, 12_345_678_901_234.56], [4.355, 0.001]],
      [1, [7, 1e21, 2 ** 53, -3], [1e-12, 5.000_000_000_1, 2 ** 51 + 0.5]],
      [2, [2 ** 53, 1e300], [2 ** 53 - 1, 3]],
      [1.5, [3, 4.5, 3_377_699_720_527_872], [3_377_699_720_527_873, 4]],
      [1e-7, [3e-7, 1], [1.5e-7]],
    ]
    for (const [multipleOf, multiples, others] of MULTIPLES) {
      const validate = await validatorOf({ multipleOf })
      expect(
        multiples.filter((value) => validate(value)),
        String(multipleOf),
      ).to.deep.equal([])
      expect(
        others.filter((value) => !validate(value)),
        String(multipleOf),
      ).to.deep.equal([])
      expect(validate(others[0])?.message).to.equal(`the value must be multiple of ${multipleOf}`)
      expect(validate('no number')).to.equal(undefined)
    }
  })

  const DAMAGED = {
    'cut in two': () => Promise.reject(new Error('cut in two')),
    'its file has no validator': () => Promise.resolve(undefined as never),
  }
  for (const [reason, load] of Object.entries(DAMAGED)) {
    it(`warns of a compiled validator that is damaged (${reason}), and compiles its schema`, async () => {
      const schema = { type: 'object', required: ['a'], title: reason }
      registerValidator(schema, load)
      const warned = once(process, 'warning') as Promise<[Error & { readonly code?: string }]>
      const validate = await validatorOf(schema)
      expect(validate({})?.message).to.equal('"a" is missing')
      const [warning] = await warned
      expect(warning.code).to.equal('VALIDATOR_DAMAGED')
      expect(warning.message).to.include(reason).and.include('Install the package again')
    })
  }

  it('compiles a schema once, even if it is written anew for each request', async () => {
    const schema = () => ({ type: 'object', properties: { a: { type: 'string' } } })
    const first = await validatorOf(schema())
    expect(await validatorOf(schema())).to.equal(first)
    expect(await validatorOf({ ...schema(), required: ['a'] })).to.not.equal(first)
  })

  it('runs patterns that come from data without hanging', async () => {
    const validate = await validatorOf({ type: 'string', pattern: '^(a+)+$' })
    expect(validate('aaaa')).to.equal(undefined)
    expect(validate(`${'a'.repeat(50_000)}!`)?.pointer).to.equal('')
  })

  it('finds a text that is no pattern where the schema says that it has to be one', async () => {
    const pattern = { type: 'string', 'x-syntax': 're2' }
    const validate = await validatorOf({ type: 'array', items: pattern })
    expect(validate(['^a+$', '(?i)b'])).to.equal(undefined)
    const fault = validate(['^a+$', '(?=b)'])
    expect(fault?.pointer).to.equal('/1')
    expect(fault?.message).to.match(/^"1" must be an RE2 expression: .*\(\?=/)
    for (const syntax of ['other', 5, null]) {
      const other = await validatorOf({ type: 'string', 'x-syntax': syntax })
      expect(other('(?=b)')).to.equal(undefined)
    }
  })

  it('keeps each pattern of a schema apart from the others', async () => {
    const validate = await validatorOf({
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^c': { pattern: '^c$' } },
    })
    expect(validate({ a: 'a', b: 'b', c: 'c' })).to.equal(undefined)
    expect(validate({ a: 'a', b: 'a' })?.pointer).to.equal('/b')
    expect(validate({ c: 'a' })?.pointer).to.equal('/c')
  })

  it('does not fall for keys of the prototype', async () => {
    const validate = await validatorOf({ type: 'object', required: ['toString'] })
    expect(validate({})?.pointer).to.equal('/toString')
  })

  it('takes a value that is nested deeper than the stack as a fault of the value', async () => {
    const validate = await validatorOf({
      $ref: '#/$defs/list',
      $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } },
    })
    let deep: unknown = []
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(validate(deep)?.message).to.contain('cannot be checked')
  })

  it('throws where the schema is none', async () => {
    expect(await errorOf(validatorOf({ type: 'text' }))).to.be.instanceOf(Error)
    expect(
      await errorOf(validatorOf({ $ref: 'https://example.com/schema.json' })),
    ).to.be.instanceOf(Error)
  })

  it('answers at once for a schema that asks to be checked later', async () => {
    const validate = await validatorOf({ $async: true, type: 'object', required: ['x'] })
    expect(validate({})).to.deep.equal({ pointer: '/x', message: '"x" is missing' })
  })

  it('keeps no schema that nobody else keeps', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const inner = await (async () => {
      const properties = { a: { type: 'string' } }
      await validatorOf({ type: 'object', properties })
      return new WeakRef(properties)
    })()
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(inner.deref()).to.equal(undefined)
  })
})
