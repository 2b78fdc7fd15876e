import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { a2aBackend } from '../../src/a2a/index.ts'
import { type AgentRuntime, runtimeBuilder } from '../../src/agent/index.ts'
import type { Message } from '../../src/plugin/index.ts'
import { needsPeer } from '../helpers/peer-scripts.ts'

const AGENT = fileURLToPath(new URL('../peers/a2a-agent.mjs', import.meta.url))
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const textOf = (messages: readonly Message[]) =>
  messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('')

describe('an agent made with @a2a-js/sdk', function () {
  this.timeout(30_000)
  let child: ChildProcess | undefined
  let runtime: AgentRuntime
  let out: Interface

  before(async function () {
    needsPeer(this, '@a2a-js/sdk')
    child = spawn(process.execPath, [AGENT], { stdio: ['pipe', 'pipe', 'inherit'] })
    out = createInterface(child.stdout ?? expect.fail('no output'))
    const [url] = (await once(out, 'line')) as [string]
    runtime = await runtimeBuilder()
      .withProvider(scripted)
      .withBackend(a2aBackend())
      .withRemoteAgents('peer', { base_url: url, options: { allow_private: true } })
      .buildAndDiscover()
  })
  after(async () => {
    if (!child) return
    const exited = once(child, 'exit')
    child.stdin?.end()
    await exited
    await runtime.close()
  })

  const run = async (messages: readonly Message[], signal?: AbortSignal) => {
    const options = { messages, conversationId: 'talk', ...(signal ? { signal } : {}) }
    return runtime.run('SDK-agent', options)
  }

  it('is found by its card, and answers in pieces', async () => {
    expect(runtime.agents.map(({ id, description }) => [id, description])).to.deep.equal([
      ['peer/SDK-agent', 'Repeats what it is told'],
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
    expect([asked.status, textOf(asked.messages)]).to.deep.equal(['done', 'Who are you?'])
    const answered = await (await run([...talk, ...asked.messages, user('Ada')])).result
    expect(textOf(answered.messages)).to.equal('You said: Ada')
  })

  it('fails in its own words', async () => {
    const { error } = await (await run([user('fail')])).result
    expect(error?.message).to.equal('The remote agent failed: It cannot be done.')
  })

  it('hears that nobody waits any more', async () => {
    const told = once(out, 'line')
    const caller = new AbortController()
    const stream = await run([user('wait')], caller.signal)
    setTimeout(() => caller.abort(), 300)
    expect((await stream.result).status).to.equal('aborted')
    expect(await told).to.deep.equal(['cancelled'])
  })
})
