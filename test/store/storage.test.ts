import { expect } from 'chai'
import { openStorage } from '../../src/store/index.ts'
import { errorOf } from '../helpers/plugins.ts'
import { madeSqlite, memory } from './backends.ts'
import { storageSuite } from './suites/storage.ts'

describe('a storage that cannot be opened', () => {
  it('is named, without the password that opens it', async () => {
    for (const [place, name] of [
      ['/dev/null/x.db', '"/dev/null/x.db"'],
      ['file:///dev/null/x.db', '"file:///dev/null/x.db"'],
      ['postgres://ada:s3cret@127.0.0.1:1/db?password=s3cret', '"postgres://127.0.0.1:1/db"'],
    ] as const) {
      const { code, message } = await errorOf(openStorage(place))
      expect(code).to.equal('STORAGE_FAILED')
      expect(message).to.include(`The storage ${name} cannot be opened. `).and.not.include('s3cret')
    }
    const { code, message } = await errorOf(openStorage('postgres://ada:s3cret@[/db'))
    expect(code).to.equal('OPTION_INVALID')
    expect(message).to.not.include('s3cret')
  })
})

for (const backend of [memory, madeSqlite()]) storageSuite(backend)
