import { madeSqlite, memory } from '../../store/backends.ts'
import { compactionClaimsSuite } from './compaction-claims-suite.ts'

for (const backend of [memory, madeSqlite()]) compactionClaimsSuite(backend)
