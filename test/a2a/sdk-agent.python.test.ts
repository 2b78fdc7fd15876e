import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { a2aBackend } from '../../src/a2a/index.ts'
import { type AgentRuntime, runtimeBuilder } from '../../src/agent/index.ts'
import { type Message, textOf } from '../../src/plugin/index.ts'
import { a2aPython } from '../helpers/a2a-sdk.ts'

const AGENT = fileURLToPath(new URL('sdk_agent.py', import.meta.url))
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const wordsOf = (messages: readonly Message[]) => messages.map(textOf).join('')

describe("an agent made with Python's a2a-sdk", function () {
  this.timeout(120_000)
  let child: ChildProcess | undefined
  let out: Interface
  let url: string

  before(async function () {
    const python = await a2aPython(this)
    const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' }
    child = spawn(python, [AGENT], { stdio: ['pipe', 'pipe', 'inherit'], env })
    out = createInterface(child.stdout ?? expect.fail('no output'))
    ;[url] = (await once(out, 'line')) as [string]
  })
  after(async () => {
    if (!child) return
    const exited = once(child, 'exit')
    child.stdin?.end()
    await exited
  })

  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    describe(`by ${binding}`, () => {
      let runtime: AgentRuntime
      beforeEach(async () => {
        const options = { allow_private: true, binding }
        runtime = await runtimeBuilder()
          .withProvider(scripted)
          .withBackend(a2aBackend())
          .withRemoteAgents('peer', { base_url: url, options })
          .buildAndDiscover()
      })
      afterEach(() => runtime.close())

      const run = (messages: readonly Message[], signal?: AbortSignal) => {
        const options = { messages, conversationId: 'talk', ...(signal ? { signal } : {}) }
        return runtime.run('Python-agent', options)
      }

      it('is found by its card, and answers in pieces', async () => {
        expect(runtime.agents.map(({ id, description }) => [id, description])).to.deep.equal([
          ['peer/Python-agent', 'Repeats what it is told'],
        ])
        const pieces: string[] = []
        for await (const event of await run([user('one two three')])) {
          if (event.type === 'text-delta') pieces.push(event.delta)
        }
        expect(pieces).to.deep.equal(['You said: one', ' two', ' three'])
      })

      it('asks, and goes on with the same task', async () => {
        const talk = [user('ask')]
        const asked = await (await run(talk)).result
        expect([asked.status, wordsOf(asked.messages)]).to.deep.equal(['done', 'Who are you?'])
        const answered = await (await run([...talk, ...asked.messages, user('Ada')])).result
        expect(wordsOf(answered.messages)).to.equal('You said: Ada')
      })

      it('fails in its own words', async () => {
        const { error } = await (await run([user('fail')])).result
        expect(error?.message).to.equal('The remote agent failed: It cannot be done.')
      })

      it('is told that the run was cancelled', async () => {
        const cancel = new AbortController()
        const cancelled = once(out, 'line')
        const stream = await run([user('wait')], cancel.signal)
        for await (const event of stream) if (event.type === 'text-delta') cancel.abort()
        expect((await stream.result).status).to.equal('aborted')
        expect(await cancelled).to.deep.equal(['cancelled'])
      })
    })
  }
})
