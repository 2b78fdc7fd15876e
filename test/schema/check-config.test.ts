import { expect } from 'chai'
import { validateConfig as compiled } from '../../dist/schema/config-validator.js'
import { checkConfig } from '../../src/schema/check-config.ts'
import { CONFIG_SCHEMA } from '../../src/schema/config-schema.ts'
import { errorOf } from '../helpers/plugins.ts'

const WRONG: { readonly [key: string]: readonly unknown[] } = {
  provider: [1],
  model: [{}],
  plugins: ['a', [1]],
  enabled_plugins: ['a', { add: 'a' }, { put: [] }],
  disabled_plugins: [true],
  force_enabled_plugins: [[null]],
  temperature: ['hot', -1],
  top_p: [2],
  max_output_tokens: [0, 1.5],
  stop: [3, [1]],
  seed: ['x'],
  tool_choice: ['maybe', { tool: 1 }, {}],
  parallel_tool_calls: ['yes'],
  reasoning_effort: ['enormous', -1],
  response_format: [{}, { type: 'xml' }],
  settings: [[], { p: 1 }],
  tool_names: [{ 'a.b': 1 }],
  limits: [{ hook: 0 }, { hooks: 1 }, { max_rounds: 1.5 }],
}

describe('checkConfig', () => {
  for (const key of Object.keys(CONFIG_SCHEMA.properties)) {
    it(`refuses a wrong "${key}", with its pointer`, async () => {
      for (const value of WRONG[key] ?? [expect.fail(`no wrong value is known for ${key}`)]) {
        const error = await errorOf(() => checkConfig({ [key]: value }))
        expect(error.code).to.equal('CONFIG_INVALID')
        expect(error.pointer).to.satisfy((pointer: string) => pointer.startsWith(`/${key}`))
        expect(compiled({ [key]: value }), 'the compiled validator').to.equal(false)
      }
    })
  }

  it('takes every key that the host knows, and keys that it does not', () => {
    const config = {
      provider: 'p',
      model: 'm',
      plugins: ['./a.js'],
      enabled_plugins: ['a'],
      disabled_plugins: { add: ['b'] },
      force_enabled_plugins: [],
      temperature: 0.5,
      top_p: 1,
      max_output_tokens: 10,
      stop: ['x'],
      seed: 7,
      tool_choice: { tool: 't' },
      parallel_tool_calls: false,
      reasoning_effort: 1024,
      response_format: { type: 'json-schema', schema: {} },
      settings: { p: { any: [1] } },
      tool_names: { 'a.b': 'c' },
      limits: { hook: 1, max_rounds: 3 },
      something_else: { of: 'a plugin' },
    }
    expect(checkConfig(config)).to.equal(config)
    expect(compiled(config)).to.equal(true)
  })
})
