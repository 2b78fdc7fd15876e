import { postgresSchemas } from '../../store/backends.ts'
import { pluginValuesSuite } from './plugin-values-suite.ts'

pluginValuesSuite(postgresSchemas())
