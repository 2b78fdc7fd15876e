import { expect } from 'chai'
import { type Fields, fieldsOf, settingsIn } from '../../../src/server/wire/fields.ts'
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

  const WRONG: readonly (readonly [
    value: unknown,
    read: (at: Fields) => unknown,
    fault: string,
  ])[] = [
    [1, (at) => at.text('x'), 'must be a string, not 1'],
    ['', (at) => at.need('x'), 'is empty; give a string'],
    [null, (at) => at.need('x'), 'is missing; give a string'],
    ['no', (at) => at.flag('x'), 'must be true or false, not "no"'],
    [3, (at) => at.number('x', 0, 2), 'must be a number from 0 to 2, not 3'],
    [-1, (at) => at.number('x', 0, 2), 'must be a number from 0 to 2, not -1'],
    [1.5, (at) => at.integer('x', 1), 'must be a whole number of at least 1, not 1.5'],
    [0, (at) => at.integer('x', 1), 'must be a whole number of at least 1, not 0'],
    ['c', (at) => at.oneOf('x', ['a', 'b']), 'must be one of a, b, not "c"'],
    [[], (at) => at.raw('x'), 'must be an object, not []'],
    [{ a: 1 }, (at) => at.list('x'), 'must be a list, not {"a":1}'],
    [7, (at) => at.textOrList('x'), 'must be a string or a list, not 7'],
    [
      ['a', ''],
      (at) => at.texts('x'),
      'must be a non-empty string or a list of non-empty strings, not ""',
    ],
  ]
  for (const [value, read, fault] of WRONG) {
    it(`are refused with what they must be: ${fault}`, async () => {
      const error = await errorOf(async () => read(settingsIn({ x: value }, ['in', 0])))
      expect(error).to.include({
        code: 'REQUEST_INVALID',
        pointer: '/in/0/x',
        message: `"x" ${fault}.`,
      })
    })
  }

  it('are refused where an object is no object, with the place of it', async () => {
    const member = await errorOf(async () => fieldsOf({ x: 'text' }).object('x'))
    const item = await errorOf(async () => fieldsOf({ x: [{}, 5] }).list('x'))
    const message = (value: string) => `This value must be an object, not ${value}.`
    expect(member).to.include({ pointer: '/x', message: message('"text"') })
    expect(item).to.include({ pointer: '/x/1', message: message('5') })
  })
})
