import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { createRuntime } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { textOf } from '../../../src/plugin/events/index.ts'
import { createServer, LOCAL } from '../../../src/server/index.ts'
import { AgentServer } from './agent-server.ts'

const MODEL = { id: 'small', provider_id: 'scripted', upstream_model: 'scripted-1' }
const messages = [{ role: 'user', content: 'go' }]

describe('a run of an agent on a server', () => {
  let server: AgentServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  it('has the tools, messages and scope of the hooks of its runtime, and tells them its events', async () => {
    const calls: unknown[] = []
    const seen: string[] = []
    const host = await createHost({
      plugins: [(await import('../../../providers/scripted/index.ts')).default],
      config: {
        settings: {
          scripted: {
            script: [
              {
                when: { step: 1 },
                then: { tool_calls: [{ name: 'greet', input: { name: 'you' } }] },
              },
              { then: { text: 'Done.' } },
            ],
          },
        },
      },
    })
    const hook = {
      name: 'program',
      systemPrompt: () => 'You are inside a program.',
      schema: () => [{ name: 'greet', description: 'Greets.', input_schema: { type: 'object' } }],
      dispatch: (_name: string, call: object) => {
        calls.push(call)
        return 'Hello.'
      },
      onEvent: (_agent: string, _conversation: string | undefined, { type }: { type: string }) => {
        seen.push(type)
      },
    }
    const runtime = await createRuntime({
      host,
      agents: [{ id: 'helper', system_prompt: 'Help.' }],
      hooks: [hook],
    })
    const storage = memoryStorage()
    const one = await createServer({ host, runtime, storage, anonymous: LOCAL })
    const ask = (headers: Record<string, string> = {}) =>
      one.fetch(
        new Request('http://localhost/v1/chat/completions', {
          method: 'POST',
          headers,
          body: JSON.stringify({ model: 'helper', messages }),
        }),
      )
    try {
      const answer = (await (await ask()).json()) as { choices: { message: { content: string } }[] }
      expect(answer.choices[0]?.message.content).to.equal('Done.')
      expect(calls).to.have.length(1)
      expect(calls[0]).to.deep.include({ agent: 'helper', sender: 'local', input: { name: 'you' } })
      expect(seen).to.include.members(['start', 'tool-execution-end', 'finish'])
      await ask({ 'x-braidwork-host-tools': 'none' })
      expect(calls).to.have.length(1)
    } finally {
      await one.close()
      await host.close()
    }
  })

  it('stops by the conditions of its spec, counted over an approval', async () => {
    const spec: AgentSpec = {
      id: 'asking',
      config: { tool_policy: { calculate: 'ask' } },
      stop_conditions: [{ type: 'loop_detection', window: 2 }],
    }
    const script = [
      {
        then: {
          text: 'again',
          tool_calls: [{ name: 'calculate', input: { expression: '6 * 7' } }],
        },
      },
    ]
    const config = { provider: 'scripted', settings: { scripted: { script, delay_ms: 0 } } }
    const storage = memoryStorage()
    server = await AgentServer.start([spec], { own: { config }, storage })
    const first = await server.chat('asking')
    expect(first.status).to.equal(200)
    const [run] = await storage.runs.list('ada', 'talk')
    if (!run) return expect.fail('no run')
    const [approval] = await storage.approvals.list('ada', run.id)
    const answer = { body: { approved: true } }
    expect((await server.served.ask(`/approvals/${approval?.id}`, answer)).status).to.equal(200)
    await server.served.ask(`/runs/${run.id}/events`)
    const events = await storage.runs.events('ada', run.id)
    expect(events.at(-1)).to.deep.include({ type: 'finish' })
    expect(events.at(-1)).to.have.nested.property('termination.code', 'loop_detection')
    expect(events.filter(({ type }) => type === 'step-start')).to.have.length(2)
  })

  it('repeats failed requests by the section retry, and goes on with the next model of its pool', async () => {
    const fault = { type: 'overloaded', times: 2 }
    const script = [{ then: { text: 'From the other one.', fault } }]
    const config = { provider: 'scripted', settings: { scripted: { script, delay_ms: 0 } } }
    const spec: AgentSpec = {
      id: 'pooled',
      model_id: 'any',
      sections: { retry: { max_retries: 1, overloaded_backoff_base_ms: 1 } },
    }
    const other = { ...MODEL, id: 'other', upstream_model: 'scripted-mini' }
    const pool = { id: 'any', candidates: ['small', 'other'] }
    const storage = memoryStorage()
    const models = [MODEL, other, pool] as never
    server = await AgentServer.start([spec], { models, own: { config }, storage })
    const { status } = await server.chat('pooled')
    expect(status).to.equal(200)
    const [run] = await storage.runs.list('ada', 'talk')
    const events = await storage.runs.events('ada', run?.id ?? '')
    const decided = events.flatMap((event) => (event.type === 'model-failed' ? [event.next] : []))
    expect(decided).to.deep.equal(['retry', 'fallback'])
    expect(
      events.flatMap((event) => (event.type === 'model-chosen' ? [event.chosen.id] : [])),
    ).to.deep.equal(['small', 'other'])
    const path = await storage.conversations.history('ada', 'talk')
    const said = path.flatMap((entry) => (entry.kind === 'message' ? [textOf(entry.message)] : []))
    expect(said.at(-1)).to.equal('From the other one.')
  })
})
