import { expect } from 'chai'
import { type AgentRuntime, createRuntime } from '../../../src/agent/index.ts'
import { knownIds } from '../../../src/agent/runtime/known-ids.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

describe('the ids to which the spec of an agent may refer', () => {
  it('are those of models and pools, of plugins beside providers, and of tools', async () => {
    const look = tool('looks', { getToolSchemas: () => [schema('look'), schema('see')] })
    await using host = await scriptedHost([look])
    const runtime: AgentRuntime = await createRuntime({
      host,
      agents: [],
      models: [
        { id: 'small', provider_id: 'scripted', upstream_model: 'scripted-mini' },
        { id: 'any', candidates: ['small'] },
      ],
    })
    expect(await knownIds(runtime)).to.deep.equal({
      models: ['small', 'any'],
      plugins: ['looks'],
      tools: ['look', 'see', 'read_result'],
    })
  })
})
