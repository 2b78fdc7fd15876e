import { expect } from 'chai'
import { extension } from '../../helpers/plugins.ts'
import { saidOf } from './one-check.ts'

describe('the checks of settings', () => {
  const saidOfField = (check: string, field: object, name = 'size') => {
    const configSchema = { type: 'object', properties: { [name]: field } }
    return saidOf(check, { kind: 'extension', plugin: extension('e', { configSchema }) })
  }

  for (const [check, good, bad, said] of [
    [
      'has defaults that its schema accepts',
      { type: 'integer', title: 'Size', default: 3 },
      { type: 'integer', title: 'Size', default: 'large' },
      /^The setting "size" has a default that its schema refuses: .*must be of type integer/i,
    ],
    [
      'says what each setting is for',
      { type: 'integer', description: 'How large' },
      { type: 'integer' },
      /^The setting "size" has neither "title" nor "description"\./,
    ],
    [
      'has no default for a secret',
      { type: 'string', title: 'Token', writeOnly: true },
      { type: 'string', title: 'Token', writeOnly: true, default: 'secret' },
      /^The setting "size" is a secret with a default, which everybody can read in the schema\./,
    ],
  ] as const)
    it(`find what a plugin lacks that ${check}`, async () => {
      expect(await saidOfField(check, good)).to.equal(undefined)
      expect(await saidOfField(check, bad)).to.match(said)
    })

  it('find a secret that is not marked as one', async () => {
    const check = 'marks its secrets'
    const field = { type: 'string', title: 'Key' }
    expect(await saidOfField(check, { ...field, writeOnly: true }, 'api_key')).to.equal(undefined)
    expect(await saidOfField(check, field, 'api_key')).to.match(
      /^The setting "api_key" looks like a secret\. Mark it with "writeOnly": true,/,
    )
  })
})
