import { expect } from 'chai'
import type { Config } from '../../src/plugin/internal.ts'
import { Secrets } from '../../src/schema/secrets.ts'
import { extension, provider } from '../helpers/plugins.ts'

const keyed = provider('p', {
  configSchema: {
    type: 'object',
    properties: {
      key: { type: 'string', writeOnly: true, 'x-env': 'P_KEY' },
      region: { type: 'string', 'x-env': 'P_REGION' },
      nested: { type: 'object', properties: { token: { type: 'string', writeOnly: true } } },
    },
  },
})

describe('Secrets', () => {
  it('fills settings from the variables that schemas name, where the config has none', () => {
    const secrets = new Secrets([keyed])
    const filled = secrets.fill(
      { settings: { p: { region: 'north' } } },
      { P_KEY: 'k-1', P_REGION: 'south' },
    )
    expect(filled.settings).to.deep.equal({ p: { region: 'north', key: 'k-1' } })
    const config: Config = {}
    expect(secrets.fill(config, {})).to.equal(config)
  })

  it('masks marked settings and values from the environment for every other plugin', () => {
    const secrets = new Secrets([keyed, extension('x')], ['from-env'])
    const config = {
      settings: { p: { key: 'k-1', nested: { token: 't-1', open: 1 } }, x: { url: 'from-env' } },
    }
    expect(secrets.viewOf(config, 'x').settings).to.deep.equal({
      p: { key: { $secret: true }, nested: { token: { $secret: true }, open: 1 } },
      x: { url: 'from-env' },
    })
    expect(secrets.viewOf(config, 'p').settings).to.deep.equal({
      p: { key: 'k-1', nested: { token: 't-1', open: 1 } },
      x: { url: { $secret: true } },
    })
  })

  it('gives the very config where there is no secret in it', () => {
    const config = { settings: { x: { open: true } } }
    expect(new Secrets([keyed]).viewOf(config, 'x')).to.equal(config)
  })

  it('takes secrets out of texts, the longer of two first', () => {
    const mask = new Secrets([keyed], ['abcd']).textMask({ settings: { p: { key: 'abcdef' } } })
    expect(mask('abcdef, abcd, abc')).to.equal('***, ***, abc')
  })
})
