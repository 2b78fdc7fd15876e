import Database from 'libsql'
import { sqlite } from './backends.ts'
import { migrationsSuite } from './suites/migrations.ts'

migrationsSuite({
  backend: sqlite(),
  restore: async (place, dump) => {
    const connection = new Database(place)
    connection.exec(dump)
    connection.close()
  },
})
