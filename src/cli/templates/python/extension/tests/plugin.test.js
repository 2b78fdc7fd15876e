import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { describeExtension } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')

describeExtension(FOLDER, {
  // The provider of the tests has these tags.
  tags: ['{{tags}}'],
  // Answers with what the extension changes. The suite splits them at every character.
  answers: ['“It’s tea,” they say.'],
  runner: { describe, it, after },
})
