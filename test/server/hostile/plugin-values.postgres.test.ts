import { postgres } from '../../store/backends.ts'
import { pluginValuesSuite } from './plugin-values-suite.ts'

pluginValuesSuite(postgres())
