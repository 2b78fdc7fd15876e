import { postgresSchemas } from '../../store/backends.ts'
import { compactionClaimsSuite } from './compaction-claims-suite.ts'

compactionClaimsSuite(postgresSchemas())
