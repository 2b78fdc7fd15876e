import { expect } from 'chai'
import { httpProvider } from '../../../providers/model-api/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { LOOM } from './loom.ts'

const WRONG: readonly [title: string, changes: object, pointer: string, said: string][] = [
  [
    'a framing that there is not',
    { framing: 'jsonl' },
    '/framing',
    '"server-sent-events", "ndjson"',
  ],
  ['a misspelled framing', { framing: 'NDJSON-' }, '/framing', 'Did you mean "ndjson"?'],
  ['no request', { request: undefined }, '/request', 'must be a function; it is missing'],
  ['no answer', { answer: undefined }, '/answer', 'must be a function; it is missing'],
  ['no address', { baseUrl: undefined }, '/baseUrl', 'must be an address'],
  ['a path without a slash', { path: 'answers' }, '/path', 'begins with "/"; it is "answers"'],
  ['files as a list', { files: ['image/png'] }, '/files', '{ types, largest }'],
  ['files as true', { files: true }, '/files', 'a value of type boolean'],
  ['call ids without a length', { callIds: { pattern: /a/ } }, '/callIds', '{ pattern, longest }'],
  ['headers that are no function', { keyHeaders: {} }, '/keyHeaders', 'must be a function'],
  [
    'a neutral key that there is not',
    { sampling: ['temprature'] },
    '/sampling/0',
    '"temperature"?',
  ],
  ['a misspelled key', { islast: () => true }, '/islast', 'Did you mean "isLast"?'],
  ['a key that is similar to several', { file: {} }, '/file', 'Did you mean "files"?'],
  ['tags that are a text', { tags: 'tools' }, '/tags', 'a list of texts'],
  ['a misspelled key with another end', { frame: 'ndjson' }, '/frame', 'Did you mean "framing"?'],
  [
    'a format that there is not',
    { toolSchemaFormat: 'openai' },
    '/toolSchemaFormat',
    '"google", or',
  ],
  ['no models', { models: {}, modelsPath: undefined }, '/models', 'at least one model'],
  ['a model that is a text', { models: { 'a/b': 'x' } }, '/models/a~1b', 'what is known of'],
  ['a variable with a dash', { variable: 'w-key' }, '/variable', 'an environment variable'],
  ['a setting without a schema', { settings: { a: 'string' } }, '/settings/a', 'a JSON Schema'],
  [
    'a built-in setting of another type',
    { settings: { api_key: { type: 'integer' } } },
    '/settings/api_key/type',
    'must be "string" or left out: "api_key" is a built-in setting',
  ],
  [
    'a built-in setting without its mark',
    { settings: { headers: { writeOnly: false } } },
    '/settings/headers/writeOnly',
    'must be true or left out',
  ],
  [
    'another variable for a secret',
    { settings: { api_key: { 'x-env': 'PATH' } } },
    '/settings/api_key/x-env',
    'must be "LOOM_KEY" or left out',
  ],
  [
    'a default for the key',
    { settings: { api_key: { default: 'sesame' } } },
    '/settings/api_key/default',
    'of which a table may change title, description, examples, x-i18n',
  ],
  [
    'a default address in the settings',
    { settings: { base_url: { default: 'https://b.test' } } },
    '/settings/base_url/default',
    'left out',
  ],
  [
    'a neutral key of another form',
    { settings: { temperature: { maximum: 9 } } },
    '/settings/temperature/maximum',
    'must be 2 or left out',
  ],
  ['models as a list', { models: ['a'] }, '/models', 'must be an object; it is a list'],
]

describe('the table of a provider', () => {
  for (const [title, changes, pointer, said] of WRONG)
    it(`may not have ${title}`, async () => {
      const error = await errorOf(() => httpProvider({ ...LOOM, ...changes }))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error.message).to.include(said).and.include('"loom"')
    })

  it('is not said to have a key that a short one has only some letters of', async () => {
    const misspelled = { ...LOOM, rate: 1 }
    const error = await errorOf(() => httpProvider(misspelled))
    expect(error.message).to.include('no key "rate"').and.not.include('Did you mean')
  })

  it('must be an object', async () => {
    const error = await errorOf(() => httpProvider(null as never))
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '' })
  })

  it('may leave out all that has a default, also as undefined', () => {
    const { name, title, variable, baseUrl, path, models, request, answer } = LOOM
    const table = { name, title, variable, baseUrl, path, models, request, answer }
    expect(httpProvider(table)).to.include({ kind: 'provider', name: 'loom' })
    expect(httpProvider({ ...table, isLast: undefined } as never).name).to.equal('loom')
  })
})
