import { postgres } from './backends.ts'
import { restorePostgres } from './restore.ts'
import { twoProcessesSuite } from './suites/two-processes.ts'

twoProcessesSuite({ backend: postgres(), restore: restorePostgres })
