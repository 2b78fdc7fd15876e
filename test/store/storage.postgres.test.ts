import { postgres } from './backends.ts'
import { storageSuite } from './suites/storage.ts'

storageSuite(postgres())
