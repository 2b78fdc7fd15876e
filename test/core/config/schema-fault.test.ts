import { expect } from 'chai'
import fc from 'fast-check'
import { faultFinderOf, validatorOf } from '../../../src/core/config/json-schema.ts'

interface Schema {
  readonly [key: string]: unknown
}

/** The first fault and all faults of a value, as `pointer: message`. */
async function faultsOf(schema: Schema, value: unknown) {
  const first = (await validatorOf(schema))(value)
  const all = (await faultFinderOf(schema))(value)
  return {
    first: first && `${first.pointer}: ${first.message}`,
    all: all.map(({ pointer, message }) => `${pointer}: ${message}`),
  }
}

/** The fault of a value, if it is the first and the only one. */
async function faultOf(schema: Schema, value: unknown): Promise<string | undefined> {
  const { first, all } = await faultsOf(schema, value)
  expect(all).to.deep.equal([first])
  return first
}

const within = (name: string, schema: Schema) => ({
  type: 'object',
  properties: { [name]: schema },
})
const object = (properties: Schema, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
})
const S3 = object({ kind: { const: 's3' }, bucket: { type: 'string' } }, 'kind', 'bucket')
const DISK = object({ kind: { const: 'disk' }, path: { type: 'string' } }, 'kind')

describe('the fault of a key', () => {
  it('names the key', async () => {
    const schema = within('servers', { propertyNames: { pattern: '\\S' } })
    expect(await faultOf(schema, { servers: { a: 1, ' ': 2 } })).to.equal(
      '/servers/ : the key " " must not be blank',
    )
  })
})

describe('the fault of a text', () => {
  it('says what the text must not be', async () => {
    expect(await faultOf({ pattern: '.' }, '')).to.equal(': the value must not be empty')
    expect(await faultOf({ not: { pattern: '^oidc:' } }, 'oidc:ada')).to.equal(
      ': the value must not begin with "oidc:"',
    )
    expect(await faultOf({ not: { pattern: 'a+$' } }, 'aa')).to.equal(
      ': the value must not match pattern "a+$"',
    )
    expect(await faultOf({ not: { type: 'string' } }, 'a')).to.equal(
      ': the value must NOT be valid',
    )
  })
})

describe('the fault of a value that matches no alternative', () => {
  it('names the allowed values', async () => {
    const mode = { anyOf: [{ const: 'a' }, { const: 'b', title: 'B' }] }
    expect(await faultOf(within('mode', mode), { mode: 'c' })).to.equal(
      '/mode: "mode" must be one of "a", "b"',
    )
    const mixed = { oneOf: [{ const: false }, { type: 'number' }] }
    expect(await faultOf(within('keep', mixed), { keep: true })).to.equal(
      '/keep: "keep" must be false, or of type number',
    )
  })

  it('names the constant that is allowed', async () => {
    expect(await faultOf(within('version', { const: 1 }), { version: 2 })).to.equal(
      '/version: "version" must be 1',
    )
  })

  it('names types behind references, each once', async () => {
    const schema = {
      ...within('auth', {
        anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }, { type: 'null' }],
      }),
      $defs: { a: object({ key: {} }, 'key'), b: object({ user: {}, pass: {} }, 'user', 'pass') },
    }
    expect(await faultOf(schema, { auth: 5 })).to.equal(
      '/auth: "auth" must be of type object, or of type null',
    )
    expect(await faultOf(schema, { auth: { pass: 'p' } })).to.equal(
      '/auth: "auth" must be an object with "key", or an object with "user", "pass"',
    )
  })

  it('is in the alternative whose tag the value has', async () => {
    const list = { type: 'array', items: { oneOf: [S3, DISK] } }
    expect(await faultOf(list, [{ kind: 's3' }])).to.equal('/0/bucket: "bucket" is missing')
    expect(await faultOf(list, [{ kind: 'disk', path: 5 }])).to.equal(
      '/0/path: "path" must be of type string',
    )
    expect(await faultOf(list, [{ kind: 's4' }])).to.equal(
      '/0/kind: "kind" must be one of "s3", "disk"',
    )
    expect(await faultOf(list, [{}])).to.equal(
      '/0/kind: "kind" is missing; it must be one of "s3", "disk"',
    )
  })

  it('is in the alternative whose tag the value has behind references and optional unions', async () => {
    const schema = {
      ...within('pet', {
        anyOf: [{ oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] }, { type: 'null' }],
        default: null,
      }),
      $defs: {
        Cat: object(
          { kind: { enum: ['cat', 'lion'] }, kitten: { $ref: '#/$defs/Cat' } },
          'kind',
          'kitten',
        ),
        Dog: object({ kind: { const: 'dog' }, name: { type: 'string' } }, 'kind', 'name'),
      },
    }
    expect(await faultOf(schema, { pet: { kind: 'dog' } })).to.equal('/pet/name: "name" is missing')
    expect(await faultOf(schema, { pet: { kind: 'lion', kitten: { kind: 'cat' } } })).to.equal(
      '/pet/kitten/kitten: "kitten" is missing',
    )
    expect(await faultOf(schema, { pet: { kind: 'cow' } })).to.equal(
      '/pet/kind: "kind" must be one of "cat", "lion", "dog"',
    )
    expect(await faultOf(schema, { pet: 'dog' })).to.equal(
      '/pet: "pet" must be of type object, or of type null',
    )
  })

  it('has all that is wrong in the alternative that is meant', async () => {
    const both = object({ kind: { const: 'a' }, x: { type: 'string' }, y: {} }, 'kind', 'y')
    const { all } = await faultsOf({ anyOf: [both, DISK] }, { kind: 'a', x: 1 })
    expect(all).to.have.members(['/y: "y" is missing', '/x: "x" must be of type string'])
  })

  it('is what the value needs for each alternative, where nothing else tells them apart', async () => {
    const names = { anyOf: [{ type: 'string', pattern: '^a' }, { type: 'integer' }] }
    expect(await faultOf(names, 'b')).to.equal(
      ': the value must match pattern "^a", or be of type integer',
    )
    const some = { anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(await faultOf(some, {})).to.equal(
      ': the value must be an object with "a", or an object with "b"',
    )
    expect(await faultOf({ anyOf: [{ not: {} }, false] }, 5)).to.equal(
      ': the value must NOT be valid',
    )
    expect(await faultOf({ anyOf: [false, false] }, 5)).to.equal(
      ': the value must match one of the allowed schemas',
    )
    expect(await faultOf({ properties: { a: false } }, { a: 5 })).to.equal('/a: "a" is not allowed')
  })

  it('is that several match where only one may', async () => {
    const schema = { oneOf: [{ type: 'string' }, { minLength: 1 }] }
    expect(await faultOf(schema, 'b')).to.equal(
      ': the value must match only one of its alternatives, and matches several',
    )
  })

  it('is apart from the faults of other values', async () => {
    const schema = object({
      a: { oneOf: [S3, DISK] },
      b: { type: 'string' },
      c: { anyOf: [S3, DISK] },
    })
    const { all } = await faultsOf(schema, { a: { kind: 's3' }, b: 1, c: { kind: 's3' } })
    expect(all).to.deep.equal([
      '/a/bucket: "bucket" is missing',
      '/b: "b" must be of type string',
      '/c/bucket: "bucket" is missing',
    ])
  })

  it('ends for schemas that refer to themselves', async () => {
    const list = { anyOf: [{ type: 'null' }, object({ next: { $ref: '#' } }, 'next')] }
    expect(await faultOf(list, { next: { next: { next: 5 } } })).to.equal(
      '/next/next/next: "next" must be of type null, or of type object',
    )
  })

  const TAGS = ['a', 'b', 'c', 'd'] as const
  const inner = fc.constantFrom<Schema>(
    { type: 'string' },
    { enum: [1, 2] },
    { anyOf: [{ const: 'x' }, { type: 'integer' }] },
    { $ref: '#/$defs/named' },
  )
  const branch = fc.record({ x: inner, y: inner, required: fc.subarray(['x', 'y']) })
  const tagged = ({ required, ...rest }: { readonly required: string[] }, at: number) =>
    object({ ...rest, kind: { const: TAGS[at] } }, 'kind', ...required)
  const member = fc.constantFrom<unknown>('x', 'q', 1, 7, null, {}, [])
  const given = fc.record(
    { kind: fc.constantFrom(...TAGS, 'e', 5), x: member, y: member },
    { requiredKeys: [] },
  )
  const $defs = { named: { anyOf: [{ type: 'null' }, object({ n: {} }, 'n')] } }

  it('is never in a tag that is allowed, and names the allowed tags otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(branch, { minLength: 2, maxLength: 4 }),
        fc.constantFrom('anyOf', 'oneOf'),
        fc.constantFrom([], [{ type: 'null' }]),
        given,
        async (branches, union, none, value) => {
          const alternatives = branches.map(tagged)
          const schema = { ...within('it', { [union]: [...alternatives, ...none] }), $defs }
          const { first, all } = await faultsOf(schema, { it: value })
          const tags: readonly unknown[] = TAGS.slice(0, branches.length)
          const isAllowed = tags.includes(value.kind)
          const wanted = isAllowed ? /^$|^\/it\/[xy]/ : /^\/it\/kind: /
          const faults = [...all, first ?? '']
          for (const fault of faults) expect(fault).to.match(wanted).and.not.include('undefined')
          if (isAllowed) return
          const named = new RegExp(tags.map((tag) => `"${String(tag)}"`).join(', '))
          for (const fault of faults) expect(fault).to.match(named)
        },
      ),
    )
  })

  it('never says "undefined"', async () => {
    const node = fc.letrec<{ schema: Schema }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Schema>(
          { type: 'string' },
          { type: ['integer', 'null'] },
          { const: 'x' },
          { enum: ['x', null] },
          { minLength: 2 },
          { required: ['p'] },
          { not: {} },
          { $ref: '#/$defs/named' },
          {},
        ),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ properties: fc.record({ p: tie('schema'), q: tie('schema') }) }),
        fc.record({ items: tie('schema') }),
      ),
    })).schema
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('x', 'y', 1, null, true),
        fc.record({ p: tie('value'), q: tie('value') }, { requiredKeys: [] }),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(node, value, async (schema, given) => {
        const { first, all } = await faultsOf({ allOf: [schema], $defs }, given)
        expect(first === undefined).to.equal(all.length === 0)
        for (const fault of [...all, first]) expect(fault ?? '').to.not.include('undefined')
      }),
    )
  })
})
