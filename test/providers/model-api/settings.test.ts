import { expect } from 'chai'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('settings of a provider of a model API', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [anthropic, openai, openaiCompatible] })
  })
  after(() => host.close())

  for (const provider of ['anthropic', 'openai', 'openai-compatible']) {
    const refusal = (own: object) => {
      const settings = { [provider]: { api_key: 'k', base_url: 'https://a.test/v1', ...own } }
      return errorOf(host.dryRun({ provider, model: 'some-model', settings }, 'Hi'))
    }

    it(`are refused where their names are unknown: ${provider}`, async () => {
      const error = await refusal({ max_output_token: 7 })
      expect(error).to.include({
        code: 'SETTINGS_INVALID',
        pointer: `/settings/${provider}/max_output_token`,
      })
      expect(error.message).to.include('Did you mean "max_output_tokens"?')
    })

    it(`are refused where their values are of another type: ${provider}`, async () => {
      for (const [name, value] of Object.entries({
        temperature: 'hot',
        top_p: 2,
        max_output_tokens: 1.5,
        stop: 7,
        seed: 'x',
        tool_choice: 'maybe',
        parallel_tool_calls: 'yes',
        reasoning_effort: 'some',
        response_format: 'json',
      })) {
        const error = await refusal({ [name]: value })
        const pointer = `/settings/${provider}/${name}`
        expect(error, name).to.include({ code: 'SETTINGS_INVALID', pointer })
      }
    })
  }
})
