import { memory, sqlite } from '../../store/backends.ts'
import { pluginValuesSuite } from './plugin-values-suite.ts'

for (const backend of [memory, sqlite()]) pluginValuesSuite(backend)
