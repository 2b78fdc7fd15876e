import { postgres } from '../../store/backends.ts'
import { describeTwoServers } from './two-servers.ts'

describeTwoServers(postgres())
