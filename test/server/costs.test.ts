import { expect } from 'chai'
import usageCost from '../../extensions/usage-cost/index.ts'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { createServer, LOCAL } from '../../src/server/index.ts'
import calculator from '../../tools/calculator/index.ts'

interface Metadata {
  readonly usage?: { readonly input?: number; readonly output?: number; readonly cost?: number }
}

const priced = { ...scripted, getModelInfo: () => ({ price: { input: 3, output: 15 } }) }
const CONFIG = {
  provider: 'scripted',
  enabled_plugins: ['usage-cost'],
  tool_policy: { calculate: 'ask' as const },
}

describe('the cost of an answer for chat pages', () => {
  let host: Host
  let server: Awaited<ReturnType<typeof createServer>>

  before(async () => {
    host = await createHost({ plugins: [priced, usageCost, calculator], config: CONFIG })
    server = await createServer({ host, storage: memoryStorage(), anonymous: LOCAL })
  })
  after(async () => {
    await server.close()
    await host.close()
  })

  async function ask(path: string, body?: object): Promise<string> {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const init = body && { ...json, body: JSON.stringify(body) }
    return (await server.fetch(new Request(`http://localhost/${path}`, init))).text()
  }

  /** The usage at the end of a stream. */
  function usageAt(stream: string): Metadata['usage'] {
    const line = stream.split('\n').find((one) => one.includes('"type":"finish"')) ?? ''
    const chunk = JSON.parse(line.slice(6)) as { readonly messageMetadata: Metadata }
    return chunk.messageMetadata.usage
  }

  async function storedUsage(): Promise<Metadata['usage']> {
    const text = await ask('api/conversations/c?sdk=7')
    const { messages } = JSON.parse(text) as {
      readonly messages: { readonly metadata: Metadata }[]
    }
    return messages.at(-1)?.metadata.usage
  }

  it('is that of the whole answer in its stream and in its history, also after an approval', async () => {
    const parts = [{ type: 'text', text: 'What is 12 * 34?' }]
    const first = await ask('api/chat?sdk=7', {
      id: 'c',
      message: { id: 'm', role: 'user', parts },
    })
    const before = usageAt(first)
    expect(before?.cost).to.be.above(0)
    expect(await storedUsage()).to.deep.equal(before)
    const [, approvalId] = /"approvalId":"([^"]+)"/.exec(first) ?? []
    const { runId } = JSON.parse(await ask(`approvals/${approvalId}`, { approved: true })) as {
      readonly runId: string
    }
    const whole = usageAt(await ask(`api/chat/c/stream?sdk=7&run=${runId}`))
    const { input = 0, output = 0, cost } = whole ?? {}
    expect(cost).to.be.closeTo((input * 3 + output * 15) / 1_000_000, 1e-12)
    expect(cost).to.be.above(before?.cost ?? 0)
    expect(await storedUsage()).to.deep.equal(whole)
  })
})
