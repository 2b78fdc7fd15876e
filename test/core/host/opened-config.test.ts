import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import type { ToolCallPart } from '../../../src/plugin/events/index.ts'
import type { ActionContext, Config, State } from '../../../src/plugin/index.ts'
import { collect, scriptedHost, textEvents, typesOf } from '../../helpers/hosts.ts'
import { errorOf, eventProvider, schema, tool } from '../../helpers/plugins.ts'

/** Counts how often its hooks run; each `init` begins a state of its own. */
class CountingTool {
  readonly counts = { getTags: 0, init: 0, getToolSchemas: 0, executeTool: 0 }
  readonly states: State[] = []
  readonly plugin = tool('count', {
    getTags: () => {
      this.counts.getTags++
      return []
    },
    init: () => ({ number: ++this.counts.init }),
    getToolSchemas: () => [schema(`count_v${++this.counts.getToolSchemas}`)],
    executeTool: (_: unknown, state: State, context: ActionContext) => {
      this.states.push(state)
      context.local.set('calls', ((context.local.get('calls') as number | undefined) ?? 0) + 1)
      return { calls: context.local.get('calls'), run: ++this.counts.executeTool }
    },
  })
}

/** Calls `count_v1` in each of so many steps, then says that it is done. */
function stepsOf(count: number) {
  const calls = Array.from({ length: count }, (_, index) => ({
    when: { step: index + 1 },
    then: { tool_calls: [{ name: 'count_v1', input: {} }] },
  }))
  return { settings: { scripted: { script: [...calls, { then: { text: 'done' } }] } } }
}

function call(name: string, input: unknown = {}): ToolCallPart {
  return { type: 'tool-call', callId: 'c1', name, input }
}

describe('a run of four steps', () => {
  it('asks its plugins once for tags, states and schemas, and keeps the tools as they were', async () => {
    const { plugin, counts, states } = new CountingTool()
    const host = await scriptedHost([plugin])
    const result = await run(host, { config: stepsOf(3), messages: 'go' }).result
    expect(result).to.deep.include({ status: 'done', steps: 4 })
    expect(counts).to.deep.equal({ getTags: 1, init: 1, getToolSchemas: 1, executeTool: 3 })
    expect(states.map(({ number }) => number)).to.deep.equal([1, 1, 1])
    const outputs = result.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    )
    expect(outputs).to.deep.equal([1, 2, 3].map((number) => ({ calls: number, run: number })))
  })

  it('ends with the block that uses it', async () => {
    const { plugin } = new CountingTool()
    const host = await scriptedHost([plugin])
    const opened = await host.open(stepsOf(1))
    opened[Symbol.dispose]()
    expect((await opened.ask('hi').result).error?.code).to.equal('HOST_CLOSED')
  })

  it("asks the provider once for the model's facts", async () => {
    let asked = 0
    const plain = eventProvider(textEvents('hello'), {
      getModelInfo: () => {
        asked++
        return { contextWindow: 1000 }
      },
    })
    const host = await createHost({ plugins: [plain] })
    const answer = { metadata: { retry: { code: 'X', message: 'again' } } }
    const retrying = eventProvider([...textEvents('no')], {
      name: 'retrying',
      getModelInfo: () => {
        asked++
        return {}
      },
      fromNative: () => [{ role: 'assistant', parts: [], ...answer }],
    })
    const other = await createHost({ plugins: [retrying] })
    await run(host, { config: { model: 'm' }, messages: 'go' }).result
    expect(asked).to.equal(1)
    const failed = await run(other, { config: { model: 'm' }, messages: 'go', maxSteps: 3 }).result
    expect(failed.steps).to.equal(3)
    expect(asked).to.equal(2)
  })

  it('gives up a choice that forces a call after the first step, whoever made it', async () => {
    const choices: unknown[] = []
    const host = await scriptedHost(
      [
        new CountingTool().plugin,
        {
          kind: 'feature',
          name: 'watch',
          init: (config: Config, state: State) => {
            choices.push(config.tool_choice)
            return state
          },
        },
      ],
      { tool_choice: 'required' },
    )
    await run(host, { config: stepsOf(2), messages: 'go' }).result
    expect(choices).to.deep.equal(['required', 'auto', 'auto'])
  })
})

describe('host.open', () => {
  it('offers tools, answers requests, shows the native request and runs calls', async () => {
    const { plugin, counts } = new CountingTool()
    const host = await scriptedHost([plugin])
    using opened = await host.open(stepsOf(1))
    expect(opened.tools.map(({ name }) => name)).to.deep.equal(['count_v1'])
    expect(opened.resolved.resolution.enabled.tools).to.deep.equal(['count'])
    const stream = opened.ask('go')
    expect(typesOf(await collect(stream))).to.deep.equal([
      'start',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'metadata',
      'finish',
    ])
    const result = await opened.execute(call('count_v1'))
    expect(result).to.deep.include({ name: 'count_v1', output: { calls: 1, run: 1 } })
    expect(await opened.dryRun('go')).to.have.all.keys('native', 'state')
    expect(counts).to.include({ init: 1, getToolSchemas: 1 })
  })

  it('answers calls that cannot be run with errors for the model', async () => {
    const host = await scriptedHost([
      tool('strict', {
        getToolSchemas: () => [
          schema('strict', { input_schema: { type: 'object', required: ['a'] } }),
        ],
        executeTool: () => {
          throw new Error('no luck')
        },
      }),
    ])
    using opened = await host.open()
    const outputs = [call('strct'), call('strict'), call('strict', { a: 1 })].map(async (one) => {
      const { output, isError } = await opened.execute(one)
      return `${isError}: ${output}`
    })
    expect(await Promise.all(outputs)).to.deep.equal([
      'true: Tool not registered: strct. The tools are strict. Did you mean "strict"?',
      `true: ${await opened.faultOf(call('strict'))}`,
      'true: Hook "executeTool" of tool "strict" failed: no luck',
    ])
  })

  it('says of a tool that is not there which plugin could not be loaded', async () => {
    const host = await createHost({ plugins: ['scripted', './no-such-plugin.mjs'] })
    using opened = await host.open()
    const { output } = await opened.execute({ callId: 'c', name: 'add_note', input: {} })
    expect(output).to.equal(
      'Tool not registered: add_note. No tools are available. ' +
        'Plugin "./no-such-plugin.mjs" could not be loaded: there is no file or folder "./no-such-plugin.mjs".',
    )
    await host.close()
  })

  it('refuses what is wrong before anything is asked', async () => {
    const host = await scriptedHost([tool('a', { schemas: ['x'] }), tool('b', { schemas: ['x'] })])
    expect((await errorOf(() => host.open({ temperature: 'hot' } as never))).code).to.equal(
      'CONFIG_INVALID',
    )
    expect((await errorOf(() => host.open())).code).to.equal('TOOL_NAME_TAKEN')
    expect((await errorOf(() => host.open({ provider: 'nobody' }))).code).to.equal(
      'PROVIDER_UNKNOWN',
    )
  })

  it('cancels its requests and calls by its signal, and by the end of its host', async () => {
    let begun = 0
    const counting = {
      kind: 'feature',
      name: 'counting',
      initializeRequest: (native: unknown, state: State) => {
        begun++
        return [native, state]
      },
    }
    const waits = tool('waits', {
      getToolSchemas: () => [schema('waits')],
      executeTool: (_: unknown, __: unknown, { signal }: ActionContext) =>
        new Promise((_resolve, reject) => {
          begun++
          signal.addEventListener('abort', () => reject(new Error('cancelled')))
        }),
    })
    const cancel = new AbortController()
    const script = [{ then: { text: 'one two three' } }]
    const host = await scriptedHost([waits, counting])
    const config = { settings: { scripted: { script, delay_ms: 1000 } } }
    const byCaller = await host.open(config, { signal: cancel.signal })
    const byHost = await host.open(config)
    const works = [byCaller, byHost].flatMap((opened) => [
      opened.ask('go').result.then(({ status }) => status),
      opened.execute(call('waits')).then(({ output }) => output),
    ])
    while (begun < works.length) await new Promise((resolve) => setImmediate(resolve))
    const cancelled = 'The call was cancelled while it ran.'
    cancel.abort()
    expect(await Promise.all(works.slice(0, 2))).to.deep.equal(['aborted', cancelled])
    await host.close()
    expect(await Promise.all(works.slice(2))).to.deep.equal(['aborted', cancelled])
  })

  it('asks no plugin for tools once it is cancelled while its plugins are resolved', async () => {
    const { plugin, counts } = new CountingTool()
    let answer: (models: readonly string[]) => void = () => undefined
    const models = new Promise<readonly string[]>((resolve) => {
      answer = resolve
    })
    const host = await createHost({
      plugins: [eventProvider([], { getModels: () => models }), plugin],
    })
    const cancel = new AbortController()
    const opening = errorOf(host.open({}, { signal: cancel.signal }))
    cancel.abort('enough')
    expect(await opening).to.include({ code: 'ABORTED' })
    answer(['m'])
    ;(await host.open()).end()
    expect(counts).to.include({ getTags: 2, getToolSchemas: 1 })
    await host.close()
  })

  it('is over when it was ended', async () => {
    const host = await scriptedHost()
    const opened = await host.open()
    opened.end()
    opened.end()
    const { status, error } = await opened.ask('go').result
    expect([status, error?.code]).to.deep.equal(['failed', 'HOST_CLOSED'])
    expect((await errorOf(() => opened.dryRun('go'))).code).to.equal('HOST_CLOSED')
  })

  it('tells a listener what tools say, secrets masked', async () => {
    const host = await scriptedHost(
      [
        tool('talks', {
          getToolSchemas: (_: unknown, { warn }: ActionContext) => {
            warn('my key is k-123456789')
            return [schema('talks')]
          },
          executeTool: (_: unknown, __: unknown, { warn, emit }: ActionContext) => {
            warn('ran')
            emit({ type: 'data', name: 'n', data: 1 })
            return 'ok'
          },
          configSchema: {
            type: 'object',
            properties: { key: { type: 'string', writeOnly: true } },
          },
        }),
      ],
      { settings: { talks: { key: 'k-123456789' } } },
    )
    const heard: unknown[] = []
    const listener = {
      warn: (warning: string) => void heard.push(warning),
      emit: (event: unknown) => void heard.push(event),
    }
    using opened = await host.open({}, { listener })
    await opened.execute(call('talks'))
    expect(heard).to.deep.equal([
      'talks: my key is ***',
      'talks: ran',
      { type: 'data', name: 'n', data: 1 },
    ])
  })
})
