import { expect } from 'chai'
import guard from '../../extensions/guard/index.ts'
import redact from '../../extensions/redact/index.ts'
import { createHost } from '../../src/core/index.ts'
import { errorOf, eventProvider } from '../helpers/plugins.ts'

describe('patterns of a user’s own', () => {
  const settings = {
    redact: {
      patterns: [
        { label: 'PLATE', pattern: '[A-Z]{2}-\\d+' },
        { label: 'A', pattern: '(?=a)' },
      ],
    },
    guard: { rules: [{ name: 'secret', on: 'answer', pattern: '(?=a)' }] },
  }
  const pointers = {
    redact: '/settings/redact/patterns/1/pattern',
    guard: '/settings/guard/rules/0/pattern',
  }

  for (const [name, plugin] of [
    ['redact', redact],
    ['guard', guard],
  ] as const) {
    it(`are found to be none before any hook of ${name} runs, with their place and why`, async () => {
      let began = 0
      const init = () => {
        began++
        return {}
      }
      const provider = eventProvider([], { init })
      await using host = await createHost({ plugins: [provider, plugin] })
      const config = { enabled_plugins: [name], settings: { [name]: settings[name] } }
      for (const door of [
        () => host.toolSchemas(config),
        () => host.dryRun(config, 'Hello'),
        () => host.send(config, 'Hello'),
      ]) {
        const error = await errorOf(door())
        expect(error).to.include({
          code: 'SETTINGS_INVALID',
          plugin: name,
          pointer: pointers[name],
        })
        expect(error.message).to.match(/"pattern" must be an RE2 expression: .*\(\?=/)
      }
      expect(began).to.equal(0)
    })
  }
})
