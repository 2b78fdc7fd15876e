import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { a2aBackend } from '../../src/a2a/index.ts'
import { type AgentRuntime, runtimeBuilder } from '../../src/agent/index.ts'
import { type Message, textOf } from '../../src/plugin/index.ts'

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const wordsOf = (messages: readonly Message[]) => messages.map(textOf).join('')

/** The process of an agent that was made with an SDK: it prints its address, and each cancelled task. */
export class SdkAgent {
  readonly #child: ChildProcess
  readonly #lines: Interface

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#lines = createInterface(child.stdout ?? expect.fail('no output'))
  }

  /** @returns the agent and its address */
  static async start(
    command: string,
    file: string,
    env: NodeJS.ProcessEnv,
  ): Promise<readonly [SdkAgent, string]> {
    const agent = new SdkAgent(spawn(command, [file], { stdio: ['pipe', 'pipe', 'inherit'], env }))
    return [agent, await agent.line()]
  }

  /** The next line that it prints. */
  async line(): Promise<string> {
    const [line] = (await once(this.#lines, 'line')) as [string]
    return line
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await exited
  }
}

/** A runtime that has found the agent at an address. */
export function runtimeWith(url: string, options: object = {}): Promise<AgentRuntime> {
  return runtimeBuilder()
    .withProvider(scripted)
    .withBackend(a2aBackend())
    .withRemoteAgents('peer', { base_url: url, options: { allow_private: true, ...options } })
    .buildAndDiscover()
}

/** An agent that repeats what it is told; asks who asks, fails and waits where it is told to. */
export function sdkAgentSuite(
  id: string,
  found: () => { readonly agent: SdkAgent; readonly runtime: AgentRuntime },
): void {
  const run = (messages: readonly Message[], signal?: AbortSignal) => {
    const options = { messages, conversationId: 'talk', ...(signal ? { signal } : {}) }
    return found().runtime.run(id, options)
  }

  it('is found by its card, and answers in pieces', async () => {
    expect(found().runtime.agents.map((one) => [one.id, one.description])).to.deep.equal([
      [`peer/${id}`, 'Repeats what it is told'],
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
    const cancelled = found().agent.line()
    const stream = await run([user('wait')], cancel.signal)
    for await (const event of stream) if (event.type === 'text-delta') cancel.abort()
    expect((await stream.result).status).to.equal('aborted')
    expect(await cancelled).to.equal('cancelled')
  })
}
