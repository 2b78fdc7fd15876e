import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describeTool } from '@braidwork/testing'
import { countsOf } from './counts.js'
import plugin from './index.js'

const CALL = { name: '{{function}}', input: { text: 'Tea is hot.' } }

describeTool(plugin, { calls: [CALL], runner: { describe, it, after } })

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
