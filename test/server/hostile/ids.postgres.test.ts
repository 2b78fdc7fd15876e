import { postgresSchemas } from '../../store/backends.ts'
import { idsSuite } from './ids-suite.ts'

idsSuite(postgresSchemas())
