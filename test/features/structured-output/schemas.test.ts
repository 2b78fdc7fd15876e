import { expect } from 'chai'
import { compileSchema } from '../../../features/structured-output/compile-schema.ts'
import { findJson } from '../../../features/structured-output/find-json.ts'
import structuredOutput, { outputOf } from '../../../features/structured-output/index.ts'
import { readAnswer } from '../../../features/structured-output/read-answer.ts'
import { createHost } from '../../../src/core/index.ts'
import type { ResponseFormat } from '../../../src/plugin/index.ts'
import { runsOf, sampled } from '../../helpers/cases.ts'
import { errorOf, eventProvider } from '../../helpers/plugins.ts'
import { CITY, configOf, faultOf, finalOf, formatOf } from './asking.ts'

/** What a format is refused with, before the provider is asked. */
async function refusalOf(format: object) {
  const stream = () => {
    throw new Error('the provider was asked')
  }
  const host = await createHost({ plugins: [eventProvider([], { stream }), structuredOutput] })
  const error = await errorOf(host.send(configOf(format as ResponseFormat), 'Where?'))
  await host.close()
  return error
}

/** A schema whose unions contain themselves: each level of an answer doubles the work. */
const DOUBLING = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      anyOf: ['x', 'y'].map((key) => ({
        properties: { a: { $ref: '#/$defs/node' } },
        required: [key],
      })),
    },
  },
}

/** So many properties of one schema. */
function some(count: number, schema: object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, schema]))
}

describe('schemas of structured-output', () => {
  it('judge multiples as decimal numbers', async () => {
    const check = await compileSchema({ items: { multipleOf: 0.1 } }, '')
    expect(check([0.3, 0.7, 1e9 + 0.3, 1e308])).to.deep.equal([])
    expect(check([0.35])).to.deep.equal(['/0 must be multiple of 0.1'])
  })

  const BAD: readonly [title: string, schema: unknown, pointer: string, says: string][] = [
    ['there is none', undefined, '', 'must be a JSON Schema'],
    ['a type is none', { properties: { a: { type: 'text' } } }, '/properties/a/type', 'must be'],
    ['a list is wanted', { required: 'a' }, '/required', 'must be array'],
    ['it is of 2020-12 and has items of draft-07', { items: [{}] }, '/items', 'must be'],
    [
      'a reference is remote',
      { items: { $ref: 'https://a.test/b' } },
      '/items/$ref',
      'are not fetched',
    ],
    ['a reference leads nowhere', { $ref: '#/$defs/a' }, '/$ref', '"#/$defs/a"'],
    ['a file is referred to', { $ref: 'file:///etc/passwd' }, '/$ref', 'are not fetched'],
    ['a pattern looks ahead', { allOf: [{ pattern: '(?=a)' }] }, '/allOf/0/pattern', 'RE2'],
    ['a key is no pattern', { patternProperties: { '(a': {} } }, '/patternProperties/(a', 'RE2'],
    ['its draft is not known', { $schema: 'https://a.test/' }, '/$schema', 'draft-07'],
    ['its draft is no text', { $schema: 1 }, '/$schema', 'draft-07'],
    ['it has the id of a draft', { $id: 'https://json-schema.org/draft/2020-12/schema' }, '', 'id'],
    ['it is huge', { description: 'a'.repeat(2 ** 17) }, '', 'longer than 128 KB'],
  ]
  for (const [title, schema, below, says] of BAD) {
    it(`are refused before anything is sent where ${title}`, async () => {
      const error = await refusalOf({ type: 'json-schema', schema })
      const pointer = `/response_format/schema${below}`
      expect(error).to.include({ code: 'CONFIG_INVALID', plugin: 'structured-output', pointer })
      expect(error.message).to.include(says).and.to.include(`"${pointer}"`)
    })
  }

  it('are of 2020-12, or of draft-07 where they say so', async () => {
    const pair = [{ type: 'string' }, { type: 'number' }]
    const now = formatOf({ prefixItems: pair, items: false })
    const then = formatOf({
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: pair,
      additionalItems: false,
    })
    for (const format of [now, then]) {
      expect(outputOf([await finalOf('["a", 1]', format)])).to.deep.equal(['a', 1])
      expect(await faultOf('[1]', format)).to.include('/0 must be string')
      expect(await faultOf('["a", 1, 2]', format)).to.include('must NOT have more than 2 items')
    }
  })

  it('may refer to themselves, by pointer, anchor or id', async () => {
    const tree = (ref: string, more: object = {}) =>
      formatOf({
        type: 'object',
        properties: { below: { type: 'array', items: { $ref: ref } } },
        additionalProperties: false,
        ...more,
      })
    const node = { ...CITY, $anchor: 'node' }
    for (const format of [tree('#'), tree('https://a.test/tree', { $id: 'https://a.test/tree' })]) {
      await finalOf('{"below": [{"below": []}]}', format)
      expect(await faultOf('{"below": [{"below": [1]}]}', format)).to.include('/below/0/below/0')
    }
    const format = formatOf({ $ref: '#node', $defs: { node } })
    expect(await faultOf('{"city": 1}', format)).to.include('/city must be string')
  })

  it('are checked without waiting, whatever they say of promises', async () => {
    const format = formatOf({ $async: true, type: 'string' })
    expect(await faultOf('1', format)).to.include('must be string')
  })

  it('take formats as remarks, and patterns in the syntax of RE2', async () => {
    await finalOf('"no address"', formatOf({ type: 'string', format: 'email' }))
    const format = formatOf({ type: 'string', pattern: '^(a+)+$' })
    await finalOf('"aaa"', format)
    expect(await faultOf(`"${'a'.repeat(50_000)}b"`, format)).to.include('must match pattern')
    const two = formatOf({ properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } })
    expect(await faultOf('{"a": "a", "b": "a"}', two)).to.include('/b must match pattern "^b$"')
  })

  it('are compiled once, and the 32 that were used last are kept', async () => {
    const check = (title: string) => compileSchema({ title }, '/schema')
    const first = await check('0')
    for (let at = 1; at < 32; at++) await check(String(at))
    expect(await check('0')).to.equal(first)
    const second = await check('1')
    for (let at = 32; at < 63; at++) await check(String(at))
    expect(await check('1')).to.equal(second)
    expect(await check('0')).not.to.equal(first)
  })

  it('that refer to one place a thousand times are compiled all the same', async () => {
    const place = { type: 'object', properties: some(200, { type: 'string' }) }
    const properties = some(1000, { $ref: '#/$defs/place' })
    const check = await compileSchema({ $defs: { place }, properties }, '/schema')
    expect(check({ k999: { k199: 'Ulm' } })).to.deep.equal([])
    expect(check({ k999: { k199: 1 } })).to.deep.equal(['/k999/k199 must be string'])
  })

  it('that could be compared for ever end with TIMEOUT, and the next one is checked as usual', async () => {
    const check = await compileSchema(DOUBLING, '/schema')
    const deep = `${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`
    const error = await errorOf(() => readAnswer(deep, check))
    expect(error).to.include({ code: 'TIMEOUT' })
    expect(error.message).to.include('a union that contains itself')
    expect(readAnswer('{"x": 1}', check)).to.have.property('json')
  })

  it('find equal items in a long list in no time', async () => {
    const check = await compileSchema({ uniqueItems: true }, '/schema')
    const items = Array.from({ length: runsOf(40_000) }, (_, at) => `{"a":[${at}]}`)
    expect(readAnswer(`[${items.join()}]`, check)).to.have.property('json')
    expect(readAnswer(`[${items.join()},{"a":[7]}]`, check)).to.have.property('faults')
    expect(readAnswer('[{"a":1},["a",1],[["a",1]],"a",1,"1"]', check)).to.have.property('json')
  })
})

describe('the search for JSON', () => {
  const MEGABYTE = 2 ** 20
  const filled = (text: string) => text.repeat(MEGABYTE / text.length)
  const HOSTILE = [
    '[',
    '{',
    '[1,',
    '["a',
    '[x',
    '{"a":{}',
    '{} ',
    '```\n',
    '\\"',
    '["\n',
    '[[]',
    ' ',
  ]
  for (const text of sampled(HOSTILE, 3)) {
    it(`takes no time with a megabyte of ${JSON.stringify(text)}`, () => {
      const begin = performance.now()
      findJson(filled(text))
      expect(performance.now() - begin).to.be.below(3000)
    })
  }
})
