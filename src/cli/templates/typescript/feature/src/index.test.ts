import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Message, Provider } from '@braidwork/plugin'
import { checkPlugin, describeFeature } from '@braidwork/testing'
import plugin from './index.js'

const TAGS = ['{{tags}}']

/** Runs the checks with a provider that notes what it is asked. */
async function askedWith(language: string): Promise<readonly Message[]> {
  let asked: readonly Message[] = []
  const provider: Provider<readonly Message[]> = {
    kind: 'provider',
    name: 'noting',
    getTags: () => ['text', ...TAGS],
    call: (native, state) => {
      asked = native
      return [[], [{ role: 'assistant', parts: [{ type: 'text', text: 'Noted.' }] }], native, state]
    },
  }
  const config = { settings: { '{{name}}': { language } } }
  for (const { fault } of await checkPlugin(plugin, { config, beside: [provider] })) {
    assert.equal(fault, undefined)
  }
  return asked
}

// The folder of the package: the suite compares the plugin with its manifest, too.
describeFeature(join(import.meta.dirname, '..'), {
  // The provider of the tests has these tags.
  tags: TAGS,
  runner: { describe, it, after },
})

describe('{{name}}', () => {
  it('asks for the language of the settings before all other messages', async () => {
    const [first] = await askedWith('Welsh')
    assert.deepEqual(first, {
      role: 'system',
      parts: [{ type: 'text', text: 'Answer in Welsh.' }],
    })
  })
})
