import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { describeTool } from '@braidwork/testing'

const FOLDER = join(import.meta.dirname, '..')
const CALLS = [{ name: '{{function}}', input: { text: 'Tea is hot.' } }]

describeTool(FOLDER, { calls: CALLS, runner: { describe, it, after } })
