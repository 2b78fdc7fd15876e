import { expect } from 'chai'
import { openStorage } from '../../src/store/index.ts'
import { errorOf } from '../helpers/plugins.ts'
import { begin, memory, postgres, sqlite } from './backends.ts'
import { Stored } from './stored.ts'
import { approvalsSuite } from './suites/approvals.ts'
import { conversationsSuite } from './suites/conversations.ts'
import { entriesSuite } from './suites/entries.ts'
import { filesSuite } from './suites/files.ts'
import { keptSuite } from './suites/kept.ts'
import { longTextsSuite } from './suites/long-texts.ts'
import { recordsSuite } from './suites/records.ts'
import { runsSuite } from './suites/runs.ts'
import { usageSuite } from './suites/usage.ts'

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

for (const backend of [memory, sqlite(), postgres()]) {
  describe(`storage in ${backend.name}`, function () {
    this.timeout(30_000)
    const stored = new Stored(backend)

    before(async function () {
      await begin(backend, this)
    })
    after(() => backend.end())
    beforeEach(() => stored.open())
    afterEach(() => stored.storage.close())

    conversationsSuite(stored)
    entriesSuite(stored)
    runsSuite(stored)
    approvalsSuite(stored)
    filesSuite(stored)
    longTextsSuite(stored)
    keptSuite(stored)
    recordsSuite(stored)
    usageSuite(stored)

    it('says that it is there', async () => {
      await stored.storage.check()
    })
  })
}
