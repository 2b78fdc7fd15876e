import { expect } from 'chai'
import type { AgentSpec } from '../../../../src/agent/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import { createServer, LOCAL, listen } from '../../../../src/server/index.ts'
import { agent, asks, leader, speaker, teamOf } from '../../../agent/children/team.ts'
import { needsPeer } from '../../../helpers/peer-scripts.ts'
import { schema, tool } from '../../../helpers/plugins.ts'
import { askClient } from './ag-ui-clients.ts'

const write = tool('write', {
  getToolSchemas: () => [schema('write')],
  executeTool: () => 'written',
})

describe("AG-UI's own client, with agents that ask agents", function () {
  this.timeout(30_000)

  it('AL-04 accepts subagents that answer, fail, wait and go on', async function () {
    needsPeer(this, '@ag-ui/client')
    const waiting = agent('b', [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'write', input: { path: 'w' } }] } },
      { then: { text: 'b' } },
    ])
    const agents: readonly AgentSpec[] = [
      leader([asks('a', 'x'), asks('c', 'x')], { delegates: ['a', 'c'] }),
      agent(
        'a',
        [{ when: { step: 1 }, then: { tool_calls: [asks('b', 'x')] } }, { then: { text: 'a' } }],
        {
          delegates: ['b'],
        },
      ),
      { ...waiting, config: { ...waiting.config, tool_policy: { write: 'ask' } } },
      agent('c', [{ then: { fault: 'failed' } }]),
      speaker('d', 'not asked'),
    ]
    await using team = await teamOf({ agents, plugins: [write] })
    const { host, runtime } = team
    const storage = memoryStorage()
    const server = await createServer({ host, runtime, storage, anonymous: LOCAL })
    const { url, close } = await listen(server, { port: 0 })
    try {
      const job = {
        name: 'tree',
        url: `${url}/ag-ui`,
        threadId: 'talk',
        runs: [
          { add: [{ id: 'u1', role: 'user', content: 'go' }], forwardedProps: { agent: 'leader' } },
          { answer: { answer: { approve: true } }, forwardedProps: { agent: 'leader' } },
        ],
      }
      const seen = (await askClient([job])).get('tree')
      expect(seen?.errors).to.deep.equal([])
      expect(seen?.faults).to.deep.equal([])
      expect(seen?.warnings).to.deep.equal([])
      expect(seen?.subagents).to.deep.equal(
        [
          [
            'SUBAGENT_STARTED a',
            'SUBAGENT_STARTED c',
            'SUBAGENT_ERROR c',
            'SUBAGENT_STARTED b',
            'SUBAGENT_FINISHED b suspended',
            'SUBAGENT_FINISHED a suspended',
          ],
          [
            'SUBAGENT_STARTED a',
            'SUBAGENT_STARTED b',
            'SUBAGENT_FINISHED b success',
            'SUBAGENT_FINISHED a success',
          ],
        ].map((told) => told.toSorted()),
      )
    } finally {
      await close()
      await server.close()
    }
  })
})
