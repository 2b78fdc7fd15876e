import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { describeTool } from '@braidwork/testing'
import { countsOf } from './counts.js'

const CALL = { name: '{{function}}', input: { text: 'Tea is hot.' } }

// The folder of the package: the suite compares the plugin with its manifest, too.
describeTool(join(import.meta.dirname, '..'), { calls: [CALL], runner: { describe, it, after } })

describe('{{name}}', () => {
  it('counts words and characters', () => {
    assert.deepEqual(countsOf('Tea is hot.', true), { words: 3, characters: 11 })
  })

  it('counts no white space where the setting says so', () => {
    assert.deepEqual(countsOf('Tea is hot.', false), { words: 3, characters: 9 })
  })

  it('counts no words in an empty text', () => {
    assert.deepEqual(countsOf(' ', true), { words: 0, characters: 1 })
  })
})
