import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import scripted from '../../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import { createHost } from '../../../../src/core/index.ts'
import { createServer, LOCAL, listen } from '../../../../src/server/index.ts'
import { askScript, needsPeer } from '../../../helpers/peer-scripts.ts'
import { schema, tool } from '../../../helpers/plugins.ts'
import type { ThreadSeen } from './ag-ui-clients.ts'

const GO = { id: 'u1', role: 'user', content: 'go' }
const BRIEF = { id: 'u2', role: 'user', content: 'Be brief.' }
const SCRIPT = [
  { when: { step: 1, equals: 'go' }, then: { tool_calls: [{ name: 'wait', input: {} }] } },
  { then: { text: 'Done.' } },
]

interface Seen {
  readonly going: ThreadSeen
  readonly saying: ThreadSeen
  /** The runs that the first client had seen end when that of the second one had. */
  readonly seenBefore: number
  readonly warnings: readonly string[]
}

describe("AG-UI's own client, when it steers", function () {
  this.timeout(30_000)

  it('CT-15 ends its run when its message has entered, and sees it in the stream of the other', async function () {
    needsPeer(this, '@ag-ui/client')
    let release = () => {}
    let hasBegun = false
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const wait = tool('wait', {
      getToolSchemas: () => [schema('wait')],
      executeTool: async () => {
        hasBegun = true
        await released
        // The message is given to the run in the turns that follow the check of the quota.
        for (let turns = 0; turns < 10; turns++) await turn()
        return 'waited'
      },
    })
    const config = { settings: { scripted: { delay_ms: 0, script: SCRIPT } } }
    await using host = await createHost({ plugins: [scripted, wait], config })
    const memory = memoryStorage()
    const usage = (owner: string) => {
      if (hasBegun) release()
      return memory.usage(owner)
    }
    const storage = { ...memory, usage }
    const server = await createServer({ host, storage, models: { quick: {} }, anonymous: LOCAL })
    const { url, close } = await listen(server, { port: 0 })
    try {
      const job = { url: `${url}/ag-ui`, threadId: 'talk', first: [GO], second: [BRIEF] }
      const { going, saying, warnings } = (await askScript('ag-ui-steering.mjs', job)) as Seen
      for (const { faults, errors } of [going, saying]) {
        expect([...faults, ...errors]).to.deep.equal([])
      }
      expect(warnings).to.deep.equal([])
      expect(saying.outcomes).to.have.length(1)
      expect(saying.custom.map(({ name }) => name)).to.deep.equal(['steered'])
      expect(going.outcomes).to.have.length(1)
      const told = going.messages.map(({ role, content = '' }) => `${role}: ${content}`)
      expect(told).to.deep.equal([
        'user: go',
        'assistant: ',
        'tool: waited',
        'user: Be brief.',
        'assistant: Done.',
      ])
      expect(going.messages[3]).to.include({ id: 'u2' })
    } finally {
      await close()
      await server.close()
    }
  })
})
