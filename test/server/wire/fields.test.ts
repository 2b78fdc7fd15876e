import { expect } from 'chai'
import { fieldsOf, settingsIn } from '../../../src/server/wire/fields.ts'
import { errorOf } from '../../helpers/plugins.ts'

/** Fields that only the server may decide about, in the spellings of several APIs. */
const REFUSED = [
  'api_base',
  'apiKey',
  'api-key',
  'Authorization',
  'base_path',
  'baseURL',
  'base_urls',
  'command',
  'cwd',
  'disabled_plugins',
  'enabled_plugins',
  'endpoint',
  'force_enabled_plugins',
  'interpreter',
  'limits',
  'path',
  'paths',
  'plugin',
  'plugins',
  'provider',
  'providers',
  'python',
  'secret',
  'secrets',
  'settings',
  'tool_names',
]

describe('the fields of a request', () => {
  for (const name of REFUSED) {
    it(`must not have "${name}", which only the server sets`, async () => {
      const error = await errorOf(async () => fieldsOf({ [name]: 'x' }))
      expect(error).to.include({ code: 'REQUEST_INVALID', pointer: `/${name}` })
      expect(error.message).to.include(`"${name}" can be set on the server only.`)
      const below = await errorOf(async () => settingsIn({ [name]: 1 }, ['metadata', 0]))
      expect(below).to.include({ pointer: `/metadata/0/${name}` })
    })
  }

  it('may have such a name with null, which counts as absent', () => {
    expect(fieldsOf({ provider: null, model: 'm' }).any('provider')).to.equal(undefined)
  })
})
