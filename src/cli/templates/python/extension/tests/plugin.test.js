import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pluginChecks } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')

describe('{{name}} in a host', () => {
  // The provider of the checks has these tags.
  for (const { name, run } of pluginChecks(FOLDER, { tags: ['{{tags}}'] })) it(name, run)
})
