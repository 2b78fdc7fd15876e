import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pluginChecks } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')
const CALLS = [{ name: '{{function}}', input: { text: 'Tea is hot.' } }]

describe('{{name}} in a host', () => {
  for (const { name, run } of pluginChecks(FOLDER, { calls: CALLS })) it(name, run)
})
