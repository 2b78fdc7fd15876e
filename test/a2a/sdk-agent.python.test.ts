import { fileURLToPath } from 'node:url'
import type { AgentRuntime } from '../../src/agent/index.ts'
import { a2aPython } from '../helpers/a2a-sdk.ts'
import { runtimeWith, SdkAgent, sdkAgentSuite } from './sdk-agent.ts'

const AGENT = fileURLToPath(new URL('sdk_agent.py', import.meta.url))

describe("an agent made with Python's a2a-sdk", function () {
  this.timeout(120_000)
  let agent: SdkAgent | undefined
  let url: string

  before(async function () {
    const python = await a2aPython(this)
    const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' }
    const [started, address] = await SdkAgent.start(python, AGENT, env)
    agent = started
    url = address
  })
  after(() => agent?.close())

  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    describe(`by ${binding}`, () => {
      let runtime: AgentRuntime
      beforeEach(async () => {
        runtime = await runtimeWith(url, { binding })
      })
      afterEach(() => runtime.close())

      sdkAgentSuite('Python-agent', () => ({ agent: agent as SdkAgent, runtime }))
    })
  }
})
