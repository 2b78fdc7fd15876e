import { expect } from 'chai'
import { tool as ownTool, run } from '../../../../src/agent/index.ts'
import { HostError } from '../../../../src/plugin/index.ts'
import { scriptedHost } from '../../../helpers/hosts.ts'
import { extension, feature, schema, tool } from '../../../helpers/plugins.ts'

const LIMITS = { execute_tool: 0.02, hook: 0.02 }
const SCRIPT = [
  { when: { step: 1 }, then: { tool_calls: [{ name: 'wait', input: {} }] } },
  { then: { text: 'Done.' } },
]
const CONFIG = { limits: LIMITS, settings: { scripted: { script: SCRIPT } } }

/** Work that ends only with its signal, and the signals that ended it. */
function endless() {
  const reasons: unknown[] = []
  const work = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      const abort = () => {
        reasons.push(signal.reason)
        reject(new Error('ended by its signal'))
      }
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
  return { reasons, work }
}

function expectTimeout(reasons: readonly unknown[]): void {
  expect(reasons).to.have.length(1)
  expect(HostError.is(reasons[0]) && reasons[0].code).to.equal('TIMEOUT')
}

describe('the signal of a hook', () => {
  it('aborts when a function of the program exceeds the limit of its call', async () => {
    const { reasons, work } = endless()
    const wait = ownTool({
      name: 'wait',
      description: 'Waits.',
      input: { type: 'object' },
      execute: (_, { signal }) => work(signal),
    })
    await using host = await scriptedHost([], CONFIG)
    const { status } = await run(host, { messages: 'go', tools: [wait] }).result
    expect(status).to.equal('done')
    expectTimeout(reasons)
  })

  it('aborts when the tool of a plugin exceeds the limit, and its generator is closed', async () => {
    const { reasons, work } = endless()
    let closed: (value: string) => void = () => undefined
    const isClosed = new Promise<string>((resolve) => {
      closed = resolve
    })
    const wait = tool('wait', {
      getToolSchemas: () => [schema('wait')],
      async *executeTool(_call: unknown, _state: unknown, { signal }: { signal: AbortSignal }) {
        try {
          yield 'begun'
          await work(signal)
        } finally {
          closed('closed')
        }
      },
    })
    await using host = await scriptedHost([wait], CONFIG)
    await run(host, { messages: 'go' }).result
    expect(await isClosed).to.equal('closed')
    expectTimeout(reasons)
  })

  it('aborts when a hook of a run exceeds its limit', async () => {
    const { reasons, work } = endless()
    const waits = feature('waits', {
      stepEnd: (_run: unknown, { signal }: { signal: AbortSignal }) => work(signal),
    })
    await using host = await scriptedHost([waits], CONFIG)
    await run(host, { messages: 'go' }).result
    expectTimeout(reasons)
  })

  it('aborts when an action exceeds its limit', async () => {
    const { reasons, work } = endless()
    const acts = extension('acts', {
      runAction: (_id: string, _input: unknown, { signal }: { signal: AbortSignal }) =>
        work(signal),
    })
    await using host = await scriptedHost([acts], { limits: { call: 0.02, hook: 0.02 } })
    const error = await host.runAction('acts', 'wait', {}).catch((thrown: unknown) => thrown)
    expect(HostError.is(error) && error.code).to.equal('TIMEOUT')
    expectTimeout(reasons)
  })

  it('aborts when the host closes, although the caller has a signal of its own', async () => {
    const { reasons, work } = endless()
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const wait = tool('wait', {
      getToolSchemas: () => [schema('wait')],
      executeTool: (_call: unknown, _state: unknown, { signal }: { signal: AbortSignal }) => {
        begin()
        return work(signal)
      },
    })
    const host = await scriptedHost([wait])
    const opened = await host.open()
    const { signal } = new AbortController()
    const answer = opened.execute({ callId: 'c', name: 'wait', input: {} }, { signal })
    await begun
    await host.close()
    const { isError, output } = await answer
    expect({ isError, output }).to.deep.equal({
      isError: true,
      output: 'The call was cancelled while it ran.',
    })
    expect(reasons).to.have.length(1)
  })
})
