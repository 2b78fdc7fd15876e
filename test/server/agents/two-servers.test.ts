import { sqlite } from '../../store/backends.ts'
import { describeTwoServers } from './two-servers.ts'

describeTwoServers(sqlite())
