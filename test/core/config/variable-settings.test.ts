import { expect } from 'chai'
import { Secrets, settingsFaults } from '../../../src/core/config/index.ts'
import type { JsonObject } from '../../../src/plugin/index.ts'
import { feature } from '../../helpers/plugins.ts'

const VARIABLES = { KEY: 'tok-12345', NUMBER: '42', YES: 'true', LIST: '["a","b"]', WORD: 'high' }

const key = { type: 'string', writeOnly: true, 'x-env': 'KEY' }
const objectOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})

/** The settings that a plugin has, with what variables fill. */
function filled(schema: JsonObject, settings?: JsonObject): unknown {
  const secrets = new Secrets()
  secrets.learn(feature('f', { configSchema: schema }))
  const config = settings === undefined ? {} : { settings: { f: settings } }
  return secrets.fill(config, VARIABLES).settings?.['f']
}

describe('settings that variables fill', () => {
  it('are of the type of their schema', () => {
    const schema = objectOf({
      integer: { type: 'integer', 'x-env': 'NUMBER' },
      nullable: { anyOf: [{ type: 'number' }, { type: 'null' }], 'x-env': 'NUMBER' },
      choice: { enum: [41, 42], 'x-env': 'NUMBER' },
      text: { type: ['string', 'integer'], 'x-env': 'NUMBER' },
      any: { 'x-env': 'NUMBER' },
      yes: { type: 'boolean', 'x-env': 'YES' },
      list: { type: 'array', items: { type: 'string' }, 'x-env': 'LIST' },
      level: { enum: ['low', 'high'], 'x-env': 'WORD' },
    })
    expect(filled(schema)).to.deep.equal({
      integer: 42,
      nullable: 42,
      choice: 42,
      text: '42',
      any: '42',
      yes: true,
      list: ['a', 'b'],
      level: 'high',
    })
  })

  it('stay the text of the variable where that has no value of the type', () => {
    const schema = objectOf({
      integer: { type: 'integer', 'x-env': 'WORD' },
      yes: { type: 'boolean', 'x-env': 'NUMBER' },
    })
    expect(filled(schema)).to.deep.equal({ integer: 'high', yes: '42' })
  })

  it('are named with their variable where they are wrong', async () => {
    const schema = objectOf({ level: { type: 'integer', 'x-env': 'WORD' }, n: { type: 'integer' } })
    const plugin = feature('f', { configSchema: schema })
    const [fault] = await settingsFaults({ settings: { f: { level: 'high' } } }, [plugin])
    expect(fault?.message).to.include('at /settings/f/level: "level" must be of type integer')
    expect(fault?.message).to.include('the environment variable WORD')
    const [other] = await settingsFaults({ settings: { f: { n: 'high' } } }, [plugin])
    expect(other?.message).not.to.include('variable')
  })

  it('make an object only if it then has all that it needs', () => {
    const login = objectOf({ id: { type: 'string' }, token: key }, { required: ['id', 'token'] })
    expect(filled(objectOf({ login }))).to.equal(undefined)
    expect(filled(objectOf({ login }), { login: { id: 'ada' } })).to.deep.equal({
      login: { id: 'ada', token: 'tok-12345' },
    })
    const alone = { ...login, required: ['token'] }
    expect(filled(objectOf({ login: alone }))).to.deep.equal({ login: { token: 'tok-12345' } })
  })

  it('take nothing away that the config says, such as a null', () => {
    const login = { anyOf: [objectOf({ token: key }), { type: 'null' }] }
    expect(filled(objectOf({ login }), { login: null })).to.deep.equal({ login: null })
    expect(filled(objectOf({ login }))).to.deep.equal({ login: { token: 'tok-12345' } })
    expect(filled(objectOf({ key }), { key: '' })).to.deep.equal({ key: '' })
  })

  it('are those of the branch that the settings take', () => {
    const byKey = objectOf({ kind: { const: 'key' }, key }, { required: ['kind', 'key'] })
    const basic = objectOf({ kind: { const: 'basic' }, user: { type: 'string' } })
    const closed = { additionalProperties: false }
    for (const more of [{}, closed]) {
      const auth = {
        oneOf: [
          { ...byKey, ...more },
          { ...basic, ...more },
        ],
      }
      const schema = objectOf({ auth })
      expect(filled(schema)).to.equal(undefined)
      expect(filled(schema, { auth: { kind: 'basic', user: 'ada' } })).to.deep.equal({
        auth: { kind: 'basic', user: 'ada' },
      })
      expect(filled(schema, { auth: { kind: 'key' } })).to.deep.equal({
        auth: { kind: 'key', key: 'tok-12345' },
      })
    }
    const untagged = { anyOf: [objectOf({ key }, closed), objectOf({ user: {} }, closed)] }
    const given = { auth: { user: 'ada' } }
    expect(filled(objectOf({ auth: untagged }), given)).to.deep.equal(given)
  })

  it('are those of the branch that the settings take by a tag that is a list or behind a reference', () => {
    const kinds = [{ enum: ['key'] }, { enum: ['basic', 'digest'] }]
    const [byKey, basic] = [
      objectOf({ kind: kinds[0], key }, { required: ['kind', 'key'] }),
      objectOf({ kind: kinds[1], user: { type: 'string' } }),
    ]
    const behind = (at: number, properties: JsonObject) =>
      objectOf({ kind: { $ref: `#/$defs/kinds/${at}` }, ...properties })
    const auths = {
      lists: { oneOf: [byKey, basic] },
      references: { oneOf: [behind(0, { key }), behind(1, { user: {} })] },
      parts: { oneOf: [{ allOf: [{}, byKey] }, { allOf: [{}, basic] }] },
    }
    for (const [what, auth] of Object.entries(auths)) {
      const schema = { ...objectOf({ auth }), $defs: { kinds } }
      const given = { auth: { kind: 'digest' } }
      expect(filled(schema, given), what).to.deep.equal(given)
      expect(filled(schema, { auth: { kind: 'key' } }), what).to.deep.equal({
        auth: { kind: 'key', key: 'tok-12345' },
      })
    }
  })

  it('are those of a condition that the settings meet, by defaults too', () => {
    const when = { properties: { mode: { const: 'key' } }, required: ['mode'] }
    const parts = { if: when, then: { properties: { key } }, else: { properties: { key: false } } }
    const mode = { enum: ['key', 'none'] }
    expect(filled(objectOf({ mode }, parts), { mode: 'none' })).to.deep.equal({ mode: 'none' })
    expect(filled(objectOf({ mode }, parts), { mode: 'key' })).to.deep.equal({
      mode: 'key',
      key: 'tok-12345',
    })
    const initial = { ...mode, default: 'key' }
    expect(filled(objectOf({ mode: initial }, parts))).to.deep.equal({ key: 'tok-12345' })
    const dependent = { dependentSchemas: { server: { properties: { key } } } }
    expect(filled(objectOf({}, dependent))).to.equal(undefined)
    expect(filled(objectOf({}, dependent), { server: 's' })).to.include({ key: 'tok-12345' })
  })

  it('are found behind references, also in schemas that refer to themselves', () => {
    const node = objectOf({ key, inner: { $ref: '#/$defs/node' } })
    const schema = { ...objectOf({ node: { $ref: '#/$defs/node' } }), $defs: { node } }
    expect(filled(schema, { node: { key: 'own', inner: { inner: null } } })).to.deep.equal({
      node: { key: 'own', inner: { key: 'tok-12345', inner: null } },
    })
    const circle = {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    }
    expect(filled({ ...circle, properties: { key } })).to.deep.equal({ key: 'tok-12345' })
  })
})
