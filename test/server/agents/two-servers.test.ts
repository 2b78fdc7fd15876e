import { madeSqlite } from '../../store/backends.ts'
import { describeTwoServers } from './two-servers.ts'

describeTwoServers(madeSqlite())
