import { type Backend, begin } from '../backends.ts'
import { Stored } from '../stored.ts'
import { approvalsSuite } from './approvals.ts'
import { conversationsSuite } from './conversations.ts'
import { countersSuite } from './counters.ts'
import { entriesSuite } from './entries.ts'
import { filesSuite } from './files.ts'
import { keptSuite } from './kept.ts'
import { lateAnswersSuite } from './late-answers.ts'
import { longTextsSuite } from './long-texts.ts'
import { ownersSuite } from './owners.ts'
import { recordsSuite } from './records.ts'
import { repeatedWritesSuite } from './repeated-writes.ts'
import { runTreesSuite } from './run-trees.ts'
import { runsSuite } from './runs.ts'
import { searchSuite } from './search.ts'
import { sharedValuesSuite } from './shared-values.ts'
import { tokensSuite } from './tokens.ts'
import { usageSuite } from './usage.ts'

/** What a storage does, in any backend. */
export function storageSuite(backend: Backend): void {
  describe(`storage in ${backend.name}`, function () {
    this.timeout(30_000)
    const stored = new Stored(backend)

    before(async function () {
      await begin(backend, this)
    })
    after(() => backend.end())
    beforeEach(() => stored.open())
    afterEach(() => stored.storage.close())

    approvalsSuite(stored)
    conversationsSuite(stored)
    countersSuite(stored)
    entriesSuite(stored)
    filesSuite(stored)
    keptSuite(stored)
    lateAnswersSuite(stored)
    longTextsSuite(stored)
    ownersSuite(stored)
    recordsSuite(stored)
    repeatedWritesSuite(stored)
    runsSuite(stored)
    runTreesSuite(stored)
    searchSuite(stored)
    sharedValuesSuite(stored)
    tokensSuite(stored)
    usageSuite(stored)

    it('says that it is there', async () => {
      await stored.storage.check()
    })
  })
}
