import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { describeFeature } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')

// The provider of the tests has these tags.
describeFeature(FOLDER, { tags: ['{{tags}}'], runner: { describe, it, after } })
