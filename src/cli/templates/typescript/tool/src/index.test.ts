import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pluginChecks } from '@braidwork/testing'
import plugin from './index.js'

const CALL = { name: '{{function}}', input: { text: 'Tea is hot.' } }

describe('{{name}}', () => {
  for (const { name, run } of pluginChecks(plugin, { calls: [CALL] })) it(name, run)

  it('counts words and characters', () => {
    const { output } = plugin.executeTool({ ...CALL, callId: '1' })
    assert.deepEqual(output, { words: 3, characters: 11 })
  })

  it('counts no words in an empty text', () => {
    const { output } = plugin.executeTool({ ...CALL, callId: '1', input: { text: ' ' } })
    assert.deepEqual(output, { words: 0, characters: 1 })
  })
})
