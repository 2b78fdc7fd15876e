import { postgres } from './backends.ts'
import { restorePostgres } from './restore.ts'
import { migrationsSuite } from './suites/migrations.ts'

migrationsSuite({ backend: postgres(), restore: restorePostgres })
