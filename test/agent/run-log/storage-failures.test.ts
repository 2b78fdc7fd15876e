import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { begin, sqlite } from '../../store/backends.ts'
import { failureSuite } from './failure-suite.ts'

describe('runs over a storage in memory whose writes fail', function () {
  this.timeout(300_000)
  failureSuite({
    open: async () => memoryStorage(),
    every: HAS_ALL_CASES ? 1 : Number.POSITIVE_INFINITY,
  })
})

describe('runs over SQLite whose writes fail', function () {
  this.timeout(300_000)
  const backend = sqlite()
  before(function () {
    return begin(backend, this)
  })
  after(() => backend.end())
  failureSuite({
    open: () => openStorage(backend.place()),
    every: HAS_ALL_CASES ? 1 : Number.POSITIVE_INFINITY,
    share: 3,
  })
})
