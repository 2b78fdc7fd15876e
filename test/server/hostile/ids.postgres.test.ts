import { postgres } from '../../store/backends.ts'
import { idsSuite } from './ids-suite.ts'

idsSuite(postgres())
