import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describeTool } from '@braidwork/testing'
import plugin from './index.js'

const CALL = { name: '{{function}}', input: { text: 'Tea is hot.' } }

describeTool(plugin, { calls: [CALL], runner: { describe, it, after } })

describe('{{name}}', () => {
  it('counts words and characters', () => {
    const { output } = plugin.executeTool({ ...CALL, callId: '1' })
    assert.deepEqual(output, { words: 3, characters: 11 })
  })

  it('counts no words in an empty text', () => {
    const { output } = plugin.executeTool({ ...CALL, callId: '1', input: { text: ' ' } })
    assert.deepEqual(output, { words: 0, characters: 1 })
  })
})
