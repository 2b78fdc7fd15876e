import { postgresSchemas } from './backends.ts'
import { storageSuite } from './suites/storage.ts'

storageSuite(postgresSchemas())
