import { madeSqlite, memory } from '../../store/backends.ts'
import { pluginValuesSuite } from './plugin-values-suite.ts'

for (const [start, backend] of [memory, madeSqlite()].entries()) {
  pluginValuesSuite(backend, start)
}
