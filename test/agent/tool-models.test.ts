import { expect } from 'chai'
import { type RunOptions, run, runIdentity } from '../../src/agent/index.ts'
import type { ModelAnswer, ModelRequest, RunEvent, ToolCall } from '../../src/plugin/index.ts'
import { collect, scriptedHost } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { VirtualEnvironment } from '../helpers/virtual-environment.ts'

const SCRIPT = [
  { when: { equals: 'Which?' }, then: { text: 'Blue.' } },
  { when: { equals: 'Wait.' }, then: { text: 'Late.', fault: 'stall' } },
  { when: { step: 1 }, then: { text: 'I look.', tool_calls: [{ name: 'look', input: {} }] } },
  { then: { text: 'Done.' } },
]
const WHICH: ModelRequest = { messages: 'Which?', maxOutputTokens: 10 }
const config = { settings: { scripted: { script: SCRIPT, delay_ms: 0 } } }

type Ask = NonNullable<ToolCall['askModel']>

describe('a tool that asks the model of its run', () => {
  /** Runs an agent whose tool does this. */
  async function ran(work: (ask: Ask) => unknown, options: Partial<RunOptions> = {}) {
    let asked: Ask | undefined
    const looking = tool('looking', {
      getToolSchemas: () => [schema('look')],
      executeTool: ({ askModel }: ToolCall) => {
        asked = askModel
        return askModel && work(askModel)
      },
    })
    await using host = await scriptedHost([looking])
    const stream = run(host, { config, messages: 'go', ...options })
    const events = await collect<RunEvent>(stream)
    return { events, result: await stream.result, ask: asked }
  }
  const codeOf = (ask: Promise<unknown>) =>
    ask.then(
      () => 'answered',
      (error: unknown) => String(Object(error).code ?? error),
    )

  it('gets its answer, and the run goes on', async () => {
    let answer: ModelAnswer | undefined
    const { result } = await ran(async (ask) => {
      answer = await ask(WHICH)
      return 'seen'
    })
    expect(answer?.parts).to.deep.include({ type: 'text', text: 'Blue.' })
    expect(answer).to.include({ model: 'scripted-1', finishReason: 'stop' })
    expect(result).to.include({ status: 'done', steps: 2 })
    expect(result.messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'tool',
      'assistant',
    ])
  })

  it('asks no longer than its call may take', async () => {
    let answer: Promise<string> | undefined
    const limited = { ...config, limits: { execute_tool: 0.02 } }
    const work = (ask: Ask) => {
      answer = codeOf(ask({ ...WHICH, messages: 'Wait.' }))
      return answer
    }
    await ran(work, { config: limited })
    expect(await answer).to.equal('TIMEOUT')
  })

  it('asks 64 times at most in a call', async () => {
    const codes: string[] = []
    await ran(async (ask) => {
      for (let count = 0; count < 65; count++) codes.push(await codeOf(ask(WHICH)))
      return 'seen'
    })
    expect(codes.slice(0, 64)).to.deep.equal(Array.from({ length: 64 }, () => 'answered'))
    expect(codes[64]).to.equal('OPTION_INVALID')
  })

  it('asks no more once its run has ended', async () => {
    const { ask } = await ran(() => 'seen')
    expect(ask && (await codeOf(ask(WHICH)))).to.equal('OPTION_INVALID')
  })

  it('is cancelled with its run, while the model is silent', async () => {
    const cancel = new AbortController()
    const { result } = await ran(
      (ask) => {
        setImmediate(() => cancel.abort())
        return ask({ ...WHICH, messages: 'Wait.' })
      },
      { signal: cancel.signal },
    )
    expect(result.status).to.equal('aborted')
  })

  it('AL-07 asks no more once the scope of its run has expired', async () => {
    const environment = new VirtualEnvironment()
    const identity = runIdentity({
      request: 'q',
      session: 's',
      role: 'user',
      identity: 'ada',
      source: 'mail',
      scope: { expiresAt: environment.now() + 1_000 },
    })
    let code = ''
    await ran(
      async (ask) => {
        await environment.sleep(2_000)
        code = await codeOf(ask(WHICH))
        return 'seen'
      },
      { environment, identity },
    )
    expect(code).to.equal('SCOPE_EXPIRED')
  })

  it('asks another model of the provider, if it names one', async () => {
    let answer: ModelAnswer | undefined
    await ran(async (ask) => {
      answer = await ask({ ...WHICH, model: 'scripted-2' })
      return 'seen'
    })
    expect(answer).to.include({ model: 'scripted-2' })
  })
})
