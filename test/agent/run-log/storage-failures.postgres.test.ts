import { openStorage } from '../../../src/store/index.ts'
import { HAS_ALL_CASES, turnOfCommit } from '../../helpers/cases.ts'
import { begin, postgresSchemas } from '../../store/backends.ts'
import { failureSuite } from './failure-suite.ts'

describe('runs over PostgreSQL whose writes fail', function () {
  this.timeout(300_000)
  const backend = postgresSchemas()
  before(function () {
    return begin(backend, this)
  })
  after(() => backend.end())
  failureSuite({
    open: () => openStorage(backend.place()),
    every: HAS_ALL_CASES ? 1 : 9,
    share: 3,
    start: turnOfCommit(3),
  })
})
