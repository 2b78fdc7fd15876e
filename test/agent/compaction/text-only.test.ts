import { expect } from 'chai'
import { textOnly } from '../../../src/agent/compaction/index.ts'
import { createHost, mergeLayers } from '../../../src/core/index.ts'
import { caller, feature, schema, tool } from '../../helpers/plugins.ts'

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
})
