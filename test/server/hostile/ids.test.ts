import { memory, sqlite } from '../../store/backends.ts'
import { idsSuite } from './ids-suite.ts'

for (const backend of [memory, sqlite()]) idsSuite(backend)
