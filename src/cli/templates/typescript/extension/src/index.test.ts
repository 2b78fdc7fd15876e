import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { describeExtension } from '@braidwork/testing'
import { straightened } from './straightened.js'

// The folder of the package: the suite compares the plugin with its manifest, too.
describeExtension(join(import.meta.dirname, '..'), {
  // The provider of the tests has these tags.
  tags: ['{{tags}}'],
  // Answers with what the extension changes. The suite splits them at every character.
  answers: ['“It’s tea,” they say.'],
  runner: { describe, it, after },
})

describe('{{name}}', () => {
  const event = { type: 'text-delta', id: '1', delta: '“It’s tea”' } as const

  it('straightens the quotes of an event', () => {
    assert.deepEqual(straightened(event, true), { ...event, delta: '"It\'s tea"' })
  })

  it('leaves apostrophes as they are where the setting says so', () => {
    assert.deepEqual(straightened(event, false), { ...event, delta: '"It’s tea"' })
  })

  it('straightens the quotes of a message, and leaves its other parts alone', () => {
    const source = { type: 'source', title: '“Tea”' } as const
    const message = { role: 'assistant', parts: [{ type: 'text', text: '‘Tea’' }, source] } as const
    assert.deepEqual(straightened(message, true), {
      role: 'assistant',
      parts: [{ type: 'text', text: "'Tea'" }, source],
    })
  })
})
