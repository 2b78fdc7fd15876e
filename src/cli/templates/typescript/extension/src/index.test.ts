import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pluginChecks } from '@braidwork/testing'
import plugin from './index.js'

describe('{{name}}', () => {
  // The provider of the checks has these tags.
  for (const { name, run } of pluginChecks(plugin, { tags: ['{{tags}}'] })) it(name, run)

  it('straightens the quotes of an event', () => {
    const event = { type: 'text-delta', id: '1', delta: '“It’s tea”' } as const
    assert.deepEqual(plugin.fromNative([], [event]), [{ ...event, delta: '"It\'s tea"' }])
  })

  it('straightens the quotes of a message, and leaves its other parts alone', () => {
    const source = { type: 'source', title: '“Tea”' } as const
    const message = { role: 'assistant', parts: [{ type: 'text', text: '‘Tea’' }, source] } as const
    assert.deepEqual(plugin.fromNative([], [message]), [
      { role: 'assistant', parts: [{ type: 'text', text: "'Tea'" }, source] },
    ])
  })
})
