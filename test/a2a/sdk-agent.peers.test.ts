import { fileURLToPath } from 'node:url'
import type { AgentRuntime } from '../../src/agent/index.ts'
import { needsPeer } from '../helpers/peer-scripts.ts'
import { runtimeWith, SdkAgent, sdkAgentSuite } from './sdk-agent.ts'

const AGENT = fileURLToPath(new URL('../peers/a2a-agent.mjs', import.meta.url))

describe('an agent made with @a2a-js/sdk', function () {
  this.timeout(30_000)
  let agent: SdkAgent | undefined
  let runtime: AgentRuntime

  before(async function () {
    needsPeer(this, '@a2a-js/sdk')
    const [started, url] = await SdkAgent.start(process.execPath, AGENT, process.env)
    agent = started
    runtime = await runtimeWith(url)
  })
  after(async () => {
    await agent?.close()
    if (agent) await runtime.close()
  })

  sdkAgentSuite('SDK-agent', () => ({ agent: agent as SdkAgent, runtime }))
})
