import { expect } from 'chai'
import { fillReferences } from '../../../src/core/config/layers.ts'
import { mapTexts, Secrets } from '../../../src/core/config/secrets.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { feature, provider, tool } from '../../helpers/plugins.ts'

const withKey = (schema: object = {}) => ({
  configSchema: {
    type: 'object',
    properties: { key: { type: 'string', writeOnly: true, ...schema }, url: { type: 'string' } },
  },
})

function secretsOf(plugins: readonly AnyPlugin[], values: readonly string[] = []): Secrets {
  const secrets = new Secrets(values)
  for (const plugin of plugins) secrets.learn(plugin)
  return secrets
}

const HIDDEN = { $secret: true }

describe('Secrets', () => {
  it('shows a plugin its own secrets, and others that there is one', () => {
    const secrets = secretsOf([provider('p', withKey()), tool('t')])
    const config = { settings: { p: { key: 'sk-12345', url: 'u' }, t: { units: 'm' } } }
    expect(secrets.viewOf(config, 'p')).to.deep.equal(config)
    expect(secrets.viewOf(config, 't')).to.deep.equal({
      settings: { p: { key: HIDDEN, url: 'u' }, t: { units: 'm' } },
    })
  })

  it('finds secrets in nested settings', () => {
    const configSchema = {
      type: 'object',
      properties: { account: { type: 'object', properties: { token: { writeOnly: true } } } },
    }
    const secrets = secretsOf([provider('p', { configSchema })])
    const config = { settings: { p: { account: { token: 't-12345', name: 'n' } } } }
    expect(secrets.viewOf(config, 'x').settings).to.deep.equal({
      p: { account: { token: HIDDEN, name: 'n' } },
    })
  })

  it('finds secrets in every branch of a schema', () => {
    const key = (name: string) => ({ properties: { [name]: { type: 'string', writeOnly: true } } })
    const configSchema = {
      type: 'object',
      allOf: [key('all')],
      anyOf: [key('any')],
      oneOf: [key('one')],
      if: key('when'),
      then: key('yes'),
      else: key('no'),
      dependentSchemas: { all: key('dependent') },
      $ref: '#/$defs/referred',
      $defs: { referred: key('referred') },
    }
    const names = 'all any one when yes no dependent referred'.split(' ')
    const values = Object.fromEntries(names.map((name) => [name, `sesame-${name}`]))
    const secrets = secretsOf([provider('p', { configSchema })])
    expect(secrets.viewOf({ settings: { p: values } }, 'x').settings).to.deep.equal({
      p: Object.fromEntries(names.map((name) => [name, HIDDEN])),
    })
  })

  it('finds secrets in a schema that refers to itself', () => {
    const { configSchema } = withKey()
    const secrets = secretsOf([provider('p', { configSchema: { ...configSchema, $ref: '#' } })])
    const config = { settings: { p: { key: 'sk-12345' } } }
    expect(secrets.viewOf(config, 'x').settings).to.deep.equal({ p: { key: HIDDEN } })
  })

  it('finds secrets in lists and in maps', () => {
    const token = { type: 'object', properties: { token: { writeOnly: true } } }
    const configSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: token },
        map: { type: 'object', additionalProperties: token },
      },
    }
    const secrets = secretsOf([provider('p', { configSchema })])
    const list = [{ token: 't-12345', name: 'n' }, { name: 'o' }, 3]
    const config = { settings: { p: { list, map: { a: { token: 't-67890' } } } } }
    expect(secrets.viewOf(config, 'x').settings).to.deep.equal({
      p: { list: [{ token: HIDDEN, name: 'n' }, { name: 'o' }, 3], map: { a: { token: HIDDEN } } },
    })
    expect(secrets.textMask(config)('t-12345 and t-67890')).to.equal('*** and ***')
  })

  it('takes only the keys for secrets that the pattern or the other keys of a map are marked for', () => {
    const secret = { type: 'string', writeOnly: true }
    const properties = { plain: { type: 'string' } }
    const settings = { p: { plain: 'p-12345', my_key: 'k-12345', other: 'o-12345' } }
    const schemas = {
      pattern: { properties, patternProperties: { _key$: secret } },
      others: { properties, patternProperties: { ther$: {} }, additionalProperties: secret },
    }
    for (const [title, configSchema] of Object.entries(schemas)) {
      const secrets = secretsOf([provider('p', { configSchema })])
      const shown = { plain: 'p-12345', my_key: HIDDEN, other: 'o-12345' }
      expect(secrets.viewOf({ settings }, 'x').settings, title).to.deep.equal({ p: shown })
      expect(secrets.textMask({ settings })('p-12345 k-12345 o-12345'), title).to.equal(
        'p-12345 *** o-12345',
      )
    }
  })

  it('takes every key for a secret whose pattern it cannot test in little time', () => {
    for (const pattern of ['(a+)+$', '(a|aa){1,60}b', '(?i)KEY', '(']) {
      const configSchema = { patternProperties: { [pattern]: { writeOnly: true } } }
      const secrets = secretsOf([provider('p', { configSchema })])
      const config = { settings: { p: { my_key: 'k-12345' } } }
      expect(secrets.viewOf(config, 'x').settings).to.deep.equal({ p: { my_key: HIDDEN } })
    }
    const long = 'a'.repeat(5_000)
    const configSchema = { patternProperties: { '^b': { writeOnly: true } } }
    const secrets = secretsOf([provider('p', { configSchema })])
    expect(secrets.viewOf({ settings: { p: { [long]: 'x' } } }, 'x').settings).to.deep.equal({
      p: { [long]: HIDDEN },
    })
  })

  it('CL-20 counts a value of the environment as secret, whatever the schema says', () => {
    const loaded = fillReferences(
      { settings: { p: { url: '${env:KEY}', header: 'Bearer ${env:KEY}', plain: 'x' } } },
      { KEY: 'sk-12345' },
    )
    const secrets = secretsOf([provider('p'), tool('t')], loaded.secrets)
    expect(secrets.viewOf(loaded.config, 't').settings).to.deep.equal({
      p: { url: HIDDEN, header: HIDDEN, plain: 'x' },
    })
    expect(secrets.viewOf(loaded.config, 'p').settings).to.deep.equal(loaded.config.settings)
    const mask = secrets.textMask(loaded.config)
    expect(mask('401 for key sk-12345: Bearer sk-12345')).to.equal('401 for key ***: ***')
  })

  it('takes secrets out of texts, the longest first, and leaves short ones', () => {
    const secrets = secretsOf([provider('p', withKey()), tool('t', withKey())])
    const settings = { p: { key: 'sk-12345' }, t: { key: 'sk-12345-long' } }
    const mask = secrets.textMask({ settings })
    expect(mask('sk-12345-long and sk-12345')).to.equal('*** and ***')
    expect(secrets.textMask({ settings: { p: { key: 'a' } } })('a cat')).to.equal('a cat')
  })

  it('fills a setting from the variable that its schema names, where the config has none', () => {
    const secrets = secretsOf([provider('p', withKey({ 'x-env': 'P_KEY' }))])
    const variables = { P_KEY: 'of the environment' }
    expect(secrets.fill({}, variables)).to.deep.equal({
      settings: { p: { key: 'of the environment' } },
    })
    const given = { settings: { p: { key: 'of the config' } } }
    expect(secrets.fill(given, variables)).to.equal(given)
    const none = {}
    expect(secrets.fill(none, {})).to.equal(none)
  })

  it('fills settings once, and again for other variables and for another plugin', () => {
    const secrets = secretsOf([provider('p', withKey({ 'x-env': 'P_KEY' }))])
    const config = { settings: { q: { own: true } } }
    const variables = { P_KEY: 'of p', Q_KEY: 'of q' }
    const filled = secrets.fill(config, variables).settings
    expect(filled).to.deep.equal({ p: { key: 'of p' }, q: { own: true } })
    expect(secrets.fill(config, variables).settings).to.equal(filled)
    expect(secrets.fill(config, { P_KEY: 'other' }).settings?.['p']).to.deep.equal({ key: 'other' })
    secrets.learn(tool('q', withKey({ 'x-env': 'Q_KEY' })))
    expect(secrets.fill(config, variables).settings).to.deep.equal({
      p: { key: 'of p' },
      q: { own: true, key: 'of q' },
    })
  })

  it('hides every value that a variable filled in, whether or not its schema marks it as secret', () => {
    const properties = {
      text: { type: 'string', 'x-env': 'F_TEXT' },
      port: { type: 'integer', 'x-env': 'F_PORT' },
      on: { type: 'boolean', 'x-env': 'F_ON' },
      names: { type: 'array', items: { type: 'string' }, 'x-env': 'F_NAMES' },
      level: { enum: ['high', 'low'], 'x-env': 'F_LEVEL' },
      given: { type: 'integer', 'x-env': 'F_PORT' },
    }
    const secrets = secretsOf([feature('f', { configSchema: { type: 'object', properties } })])
    const variables = {
      F_TEXT: 'of the environment',
      F_PORT: '81234',
      F_ON: 'true',
      F_NAMES: '["Adalbert"]',
      F_LEVEL: 'high',
    }
    const config = secrets.fill({ settings: { f: { given: 5 } } }, variables)
    const f = { text: HIDDEN, port: HIDDEN, on: HIDDEN, names: HIDDEN, level: HIDDEN, given: 5 }
    expect(secrets.masked(config)).to.deep.equal({ settings: { f } })
    expect(secrets.viewOf(config, 't')).to.deep.equal({ settings: { f } })
    expect(secrets.viewOf(config, 'f')).to.deep.equal(config)
    const line = 'higher than 81234, Adalbert of the environment: true'
    expect(secrets.textMask(config)(line)).to.equal('higher than ***, *** ***: true')
  })

  it('reads no secret from a schema that cannot be read', () => {
    const broken = feature('f', {
      configSchema: () => {
        throw new Error('no')
      },
    })
    const config = { settings: { f: { key: 'sk-12345' } } }
    expect(secretsOf([broken]).viewOf(config, 't')).to.equal(config)
  })
})

describe('mapTexts', () => {
  const mask = (text: string) => text.replaceAll('secret', '***')

  it('changes every text in a value, and an error that says what must change', () => {
    const quiet = new Error('quiet')
    const line = { message: 'a secret', more: [{ key: 'secret' }, 1, quiet, new Error('secret')] }
    expect(mapTexts(line, mask)).to.deep.equal({
      message: 'a ***',
      more: [{ key: '***' }, 1, quiet, '***'],
    })
  })

  it('ends where a value contains itself', () => {
    const line: Record<string, unknown> = { text: 'secret' }
    line['self'] = line
    expect(mapTexts(line, mask)).to.include({ text: '***' })
  })
})
