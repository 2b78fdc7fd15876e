import { madeSqlite, memory } from '../../store/backends.ts'
import { idsSuite } from './ids-suite.ts'

for (const backend of [memory, madeSqlite()]) idsSuite(backend)
