import { Pool } from './pool.ts'

/** The sessions of this process, for the tool and for what else reads from the servers of a config. */
export const pool = new Pool()
