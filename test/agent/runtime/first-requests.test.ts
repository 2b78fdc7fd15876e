import { expect } from 'chai'
import memory from '../../../features/memory/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { createRuntime, firstRequests } from '../../../src/agent/runtime/index.ts'
import { createHost } from '../../../src/core/index.ts'

describe('the first requests of an agent', () => {
  it('have a conversation, so that no plugin warns that there is none', async () => {
    const config = { enabled_plugins: ['memory'] }
    const host = await createHost({ plugins: [scripted, memory], config })
    const runtime = await createRuntime({
      host,
      agents: [{ id: 'helper', system_prompt: 'Help.' }],
    })
    expect(await firstRequests(runtime, 'helper')).to.deep.equal({ errors: [], warnings: [] })
    await host.close()
  })
})
