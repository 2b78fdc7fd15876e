import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import mcp from '../../tools/mcp/index.ts'
import { sampledIt } from '../helpers/cases.ts'
import { sdkServer } from '../tools/mcp/servers.ts'
import { chatBody, Served, type ShownMessage, user } from './routes/served.ts'

const SCRIPT = [
  { when: { tool: 'fx__asks' }, then: { text: 'It says: {{result.fx__asks}}' } },
  { then: { tool_calls: [{ name: 'fx__asks', input: {} }] } },
]

for (const [at, era] of ['2025', '2026'].entries()) {
  describe(`questions in the middle of a call, on a server (${era})`, function () {
    this.timeout(20_000)
    const test = sampledIt(2, at)
    const storage = memoryStorage()
    let served: Served
    let count = 0

    before(async () => {
      const settings = {
        scripted: { script: SCRIPT, delay_ms: 0 },
        mcp: { servers: { fx: sdkServer('--era', era) } },
      }
      const models = { quick: { config: { enabled_plugins: ['mcp'], settings } } }
      served = await Served.start({ storage, models }, { plugins: [scripted, mcp], config: {} })
    })
    after(() => served.close())

    /** Asks, and returns the run that waits with its approval. */
    async function begin(path = '/api/chat?sdk=6') {
      const body = chatBody(`talk-${++count}`, [user('q', 'paint')])
      const { text, headers, status } = await served.ask(path, { body })
      expect(status, text).to.equal(200)
      const runId = headers.get('x-run-id') ?? ''
      const [approval, ...others] = await storage.approvals.list('ada', runId)
      expect(others).to.deep.equal([])
      return { runId, approval, id: approval?.id ?? '' }
    }

    async function outputsOf(runId: string): Promise<readonly unknown[]> {
      const { text } = await served.ask(`/runs/${runId}/events`)
      const events = [...text.matchAll(/^data: (.*)$/gm)].map(
        ([, data]) => JSON.parse(String(data)) as RunEvent,
      )
      return events.flatMap((event) =>
        event.type === 'tool-execution-end' ? [event.result.output] : [],
      )
    }

    test('CT-31 are answered by POST /approvals/{id}, and the call goes on', async () => {
      const { runId, id, approval } = await begin()
      expect(approval?.isQuestion).to.equal(true)
      expect(approval?.input).to.deep.include({ question: 'Which color?', arguments: {} })
      const wrong = await served.ask(`/approvals/${id}`, { body: { answer: { color: 'green' } } })
      expect(wrong.status).to.equal(400)
      const { status } = await served.ask(`/approvals/${id}`, {
        body: { answer: { color: 'blue' } },
      })
      expect(status).to.equal(200)
      expect(await outputsOf(runId)).to.deep.equal(['accept: blue'])
    })

    test('CT-31 are declined by POST /approvals/{id}, which the server is told', async () => {
      const { runId, id } = await begin()
      const { status } = await served.ask(`/approvals/${id}`, { body: { approved: false } })
      expect(status).to.equal(200)
      expect(await outputsOf(runId)).to.deep.equal(['decline: nothing'])
    })

    for (const sdk of [5, 6, 7]) {
      test(`CT-31 are shown to a page of the AI SDK ${sdk}, which gives the call an output`, async () => {
        const { runId, approval } = await begin(`/api/chat?sdk=${sdk}`)
        const id = `talk-${count}`
        const { text } = await served.ask(`/api/conversations/${id}?sdk=${sdk}`)
        const { messages } = JSON.parse(text) as { readonly messages: readonly ShownMessage[] }
        const last = messages.at(-1) ?? expect.fail('no answer')
        const [, call, question] = last.parts
        expect(call).to.deep.include({ state: 'input-available', input: {} })
        expect(question).to.have.property('type', 'data-question')
        const { data } = question as unknown as { readonly data: object }
        expect(data).to.deep.include({ approvalId: approval?.id, question: 'Which color?' })
        expect(data).to.have.nested.property('schema.properties.color')
        const parts = last.parts.map((part) =>
          part === call ? { ...part, state: 'output-available', output: { color: 'red' } } : part,
        )
        const body = chatBody(id, [...messages.slice(0, -1), { ...last, parts }])
        const next = await served.ask(`/api/chat?sdk=${sdk}`, { body })
        expect(next.text).to.include('"output":"accept: red"')
        expect(await outputsOf(runId)).to.deep.equal(['accept: red'])
      })
    }

    test('CT-31 of many runs reach each its own call', async () => {
      const waiting = [await begin(), await begin(), await begin()]
      const colors = ['red', 'blue', 'red']
      for (const [at, { id }] of waiting.entries())
        await served.ask(`/approvals/${id}`, { body: { answer: { color: colors[at] } } })
      const outputs = await Promise.all(waiting.map(({ runId }) => outputsOf(runId)))
      expect(outputs).to.deep.equal([['accept: red'], ['accept: blue'], ['accept: red']])
    })
  })
}
