import pg from 'pg'
import { postgres } from './backends.ts'
import { migrationsSuite } from './suites/migrations.ts'

migrationsSuite({
  backend: postgres(),
  restore: async (place, dump) => {
    const client = new pg.Client(place)
    await client.connect()
    try {
      await client.query(dump)
    } finally {
      await client.end()
    }
  },
})
