import { expect } from 'chai'
import { textOnly } from '../../src/agent/text-only.ts'
import { createHost, mergeLayers } from '../../src/core/index.ts'
import { caller, feature, schema, tool } from '../helpers/plugins.ts'

describe('the config in which a summary is asked for', () => {
  it('CT-21 has no tools, neither of plugins nor of the model API, and no features', async () => {
    const plugins = [
      caller('model', []),
      feature('loud'),
      tool('look', { getToolSchemas: () => [schema('look')] }),
    ]
    const config = {
      tool_choice: 'required',
      enabled_plugins: ['look', 'loud'],
      settings: { model: { hosted_tools: [{ type: 'web_search' }], other: 1 } },
    } as const
    await using host = await createHost({ plugins })
    const layer = textOnly(host, config)
    const { settings, tool_choice } = mergeLayers(host.config, layer)
    expect(settings?.['model']).to.deep.equal({ hosted_tools: [], other: 1 })
    expect(tool_choice).to.equal('auto')
    using opened = await host.open(layer)
    expect(opened.tools).to.deep.equal([])
    expect(mergeLayers(host.config, layer).disabled_plugins).to.include.members(['look', 'loud'])
  })

  it('CT-21 has nothing that shapes the answers of the agent, neither as a key nor as a setting', async () => {
    const shape = {
      response_format: { type: 'json-schema', schema: { type: 'object' } },
      stop: ['\n\n'],
      logit_bias: { 5: -100 },
    } as const
    const body = { n: 2, logprobs: true, text: { format: {} }, max_tokens: 9, seed: 1, top_k: 5 }
    const own = { ...shape, max_output_tokens: 10, base_url: 'http://127.0.0.1', temperature: 0 }
    await using host = await createHost({
      plugins: [caller('model', [])],
      config: { ...shape, temperature: 0.5, settings: { model: { ...own, body } } },
    })
    const layer = textOnly(host, { model: 'm' }, { max_output_tokens: 2048 })
    const { settings, ...config } = mergeLayers(host.config, layer)
    const neutral = { response_format: { type: 'text' }, stop: [], logit_bias: {} }
    expect(config).to.deep.include({ ...neutral, temperature: 0.5, model: 'm' })
    expect(config).to.not.have.any.keys('tool_choice', 'parallel_tool_calls')
    expect(settings?.['model']).to.deep.equal({
      ...neutral,
      max_output_tokens: 2048,
      base_url: 'http://127.0.0.1',
      temperature: 0,
      body: { top_k: 5 },
    })
  })

  it('keeps what the request itself says, also where a setting of the provider says something else', async () => {
    await using host = await createHost({
      plugins: [caller('model', [])],
      config: { stop: 'a', settings: { model: { stop: ['b'], temperature: 1, models: ['m'] } } },
    })
    const layer = textOnly(host, {}, { stop: ['c'], temperature: 0.2, model: 'm' })
    const { settings, stop, model } = mergeLayers(host.config, layer)
    expect([stop, model]).to.deep.equal([['c'], 'm'])
    expect(settings?.['model']).to.deep.equal({ stop: ['c'], temperature: 0.2, models: ['m'] })
  })
})
