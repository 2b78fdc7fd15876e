import { sqlite } from './backends.ts'
import { restoreSqlite } from './restore.ts'
import { migrationsSuite } from './suites/migrations.ts'

migrationsSuite({ backend: sqlite(), restore: restoreSqlite })
