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
