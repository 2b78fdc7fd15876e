import { expect } from 'chai'
import { type RunOptions, run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import type { RunEvent, ToolSafety } from '../../../src/plugin/events/index.ts'
import { collect, scriptedHost, textEvents } from '../../helpers/hosts.ts'
import { eventProvider, schema, tool } from '../../helpers/plugins.ts'

type Execute = (call: { readonly callId: string; readonly name: string }) => unknown
type End = Extract<RunEvent, { readonly type: 'tool-execution-end' }>

const SAFE = { is_concurrency_safe: true }

function toolOf(name: string, execute: Execute, safety: ToolSafety = {}, more: object = {}) {
  return tool(name, {
    getToolSchemas: () => [schema(name, { safety, ...more })],
    executeTool: execute,
  })
}

function calling(...names: readonly string[]) {
  return callsOf(names.map((name) => ({ name, input: {} })))
}

function callsOf(calls: readonly object[]) {
  const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'Done.' } }]
  return { settings: { scripted: { script } } }
}

async function eventsOf(
  tools: readonly object[],
  config: RunOptions['config'],
  more: Partial<RunOptions> = {},
): Promise<readonly RunEvent[]> {
  await using host = await scriptedHost(tools)
  return await collect(run(host, { messages: 'go', ...(config ? { config } : {}), ...more }))
}

/** A promise that is resolved from outside. */
function gateOf() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

function endsOf(events: readonly RunEvent[]): readonly End[] {
  return events.filter((event): event is End => event.type === 'tool-execution-end')
}

/** The one call of a run: its state, the class of its error, and what the model was told. */
async function fateOf(tools: readonly object[], config: RunOptions['config']) {
  const [end] = endsOf(await eventsOf(tools, config))
  return [end?.state, end?.error?.class, end?.result.output]
}

const thrown =
  (code: string, more: object = {}) =>
  () => {
    throw Object.assign(new Error('no'), { code, ...more })
  }

describe('a tool call', () => {
  it('LT-03 ends as succeeded, with its record as the events of its start and its end', async () => {
    const events = await eventsOf(
      [toolOf('act', () => 'done', { is_destructive: false })],
      calling('act'),
    )
    const start = events.find(({ type }) => type === 'tool-execution-start')
    expect(start).to.deep.include({
      name: 'act',
      input: {},
      plugin: 'act',
      safety: { is_destructive: false },
      policy: {
        decision: 'allow',
        source: 'default',
        reason: 'The config has no policy for it.',
      },
    })
    const [end] = endsOf(events)
    expect(end).to.include({ state: 'succeeded' })
    expect(end).not.to.have.property('error')
    expect(end?.result).to.include({ output: 'done' })
  })

  it('CT-08 of no tool is an error result that names the tools, and the run goes on', async () => {
    const events = await eventsOf([toolOf('act', () => 'done')], calling('acts'))
    const [end] = endsOf(events)
    expect([end?.state, end?.error?.class]).to.deep.equal(['failed', 'unknown_tool'])
    expect(end?.result.output).to.match(/^Tool not registered: acts\. The tools are act\./)
    expect(events.at(-1)?.type).to.equal('finish')
  })

  it('LT-01 that never runs has no start, and a result that says why', async () => {
    const ran: string[] = []
    const act = toolOf('act', () => ran.push('act'))
    const unknown = await eventsOf([act], calling('acts'))
    const wrong = await eventsOf([act], callsOf([{ name: 'act', arguments: '{' }]))
    const denied = await eventsOf([act], { ...calling('act'), tool_policy: { act: 'deny' } })
    for (const events of [unknown, wrong, denied]) {
      expect(events.map(({ type }) => type)).not.to.include('tool-execution-start')
      expect(endsOf(events)).to.have.length(1)
      expect(endsOf(events)[0]?.result.isError).to.equal(true)
    }
    expect(ran).to.deep.equal([])
  })

  it('LT-05 says by a class why it did not succeed', async () => {
    const number = { type: 'object', properties: { n: { type: 'number' } } }
    const strict = toolOf('act', () => 'done', {}, { input_schema: number })
    const wrong = callsOf([{ name: 'act', input: { n: 'one' } }])
    expect((await fateOf([strict], wrong)).slice(0, 2)).to.deep.equal([
      'validation_failed',
      'invalid_arguments',
    ])
    const slow = toolOf('act', () => new Promise(() => undefined))
    const limits = { execute_tool: 0.01 }
    expect((await fateOf([slow], { ...calling('act'), limits })).slice(0, 2)).to.deep.equal([
      'timed_out',
      'timeout',
    ])
    const classes = [
      ['RATE_LIMITED', 'rate_limited'],
      ['OVERLOADED', 'rate_limited'],
      ['ECONNREFUSED', 'dependency_unavailable'],
      ['ENOTFOUND', 'dependency_unavailable'],
      ['OTHER', 'execution_failed'],
    ] as const
    for (const [code, expected] of classes) {
      const fate = await fateOf([toolOf('act', thrown(code))], calling('act'))
      expect(fate.slice(0, 2), code).to.deep.equal(['failed', expected])
    }
    const refused = toolOf('act', () => ({ output: 'no', isError: true }))
    expect(await fateOf([refused], calling('act'))).to.deep.equal([
      'failed',
      'execution_failed',
      'no',
    ])
  })

  it('LT-05 is told all faults of its arguments together, those of a union as one', async () => {
    const input_schema = {
      type: 'object',
      properties: {
        n: { type: 'number' },
        kind: { enum: ['a', 'b'] },
        size: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
      },
      required: ['n'],
      additionalProperties: false,
    }
    const act = toolOf('act', () => 'done', {}, { input_schema })
    const input = { kind: 'c', size: 'L', more: 1 }
    const [, , output] = await fateOf([act], callsOf([{ name: 'act', input }]))
    const [head, ...faults] = String(output).split('\n- ')
    expect(head).to.equal('The arguments of "act" are not valid:')
    expect(faults.toSorted()).to.deep.equal([
      '/kind: "kind" must be one of "a", "b".',
      '/more: "more" is unknown; the known keys are n, kind, size.',
      '/n: "n" is missing.',
      '/size: "size" must be of type number, or of type boolean.',
    ])
    const wrong = { n: [1] }
    expect((await fateOf([act], callsOf([{ name: 'act', input: wrong }])))[2]).to.equal(
      'The arguments of "act" are not valid at /n: "n" must be of type number.',
    )
  })

  it('LR-04 says whether to try again, and when, as its tool says or as its class is', async () => {
    const errorOf = async (execute: Execute) =>
      endsOf(await eventsOf([toolOf('act', execute)], calling('act')))[0]?.error
    expect(await errorOf(thrown('RATE_LIMITED', { retryAfter: 7 }))).to.deep.equal({
      class: 'rate_limited',
      retryable: true,
      retryAfter: 7,
      advice: 'Wait, then try again.',
    })
    expect(await errorOf(thrown('X', { retryable: true }))).to.include({ retryable: true })
    expect(await errorOf(thrown('X'))).to.deep.equal({
      class: 'execution_failed',
      retryable: false,
    })
  })

  it('LT-07 is denied by a policy of the config, which is the source that it names', async () => {
    const seen: unknown[] = []
    const act = toolOf('act', () => 'done')
    const events = await eventsOf([act, toolOf('other', () => 'done')], {
      ...calling('act', 'other'),
      tool_policy: { 'act.act': 'deny', other: 'allow' },
    })
    for (const event of events) if (event.type === 'tool-execution-start') seen.push(event.policy)
    expect(endsOf(events).map(({ state, error }) => [state, error?.class])).to.deep.equal([
      ['denied', 'permission_denied'],
      ['succeeded', undefined],
    ])
    expect(seen).to.deep.equal([
      { decision: 'allow', source: '/tool_policy/other', reason: 'The config allows it.' },
    ])
  })

  it('LT-07 of a tool that is denied is not offered to the model, but known by its name', async () => {
    await using host = await scriptedHost([toolOf('act', () => 'done'), toolOf('b', () => 'done')])
    const config = { tool_policy: { act: 'deny' } } as const
    const offered = await host.toolSchemas(config)
    expect(offered.map(({ name }) => name)).to.deep.equal(['b'])
    using opened = await host.open(config)
    expect(opened.tools.map(({ name }) => name)).to.deep.equal(['b'])
    expect(opened.toolNamed('act')?.policy.decision).to.equal('deny')
  })

  it('LR-17 keeps the name and schema with which its run began', async () => {
    let asked = 0
    const changing = tool('changing', {
      getToolSchemas: () => [schema(`v${++asked}`)],
      executeTool: ({ name }: { name: string }) => name,
    })
    const script = [1, 2].map((step) => ({
      when: { step },
      then: { tool_calls: [{ name: 'v1', input: { step } }] },
    }))
    const settings = { scripted: { script: [...script, { then: { text: 'Done.' } }] } }
    const ends = endsOf(await eventsOf([changing], { settings }))
    expect(ends.map(({ result }) => result.output)).to.deep.equal(['v1', 'v1'])
    expect(asked).to.equal(1)
  })

  it('CT-10 is ok or an error from end to end: in its event, its result and the history', async () => {
    await using host = await scriptedHost([toolOf('act', thrown('X')), toolOf('b', () => 'fine')])
    const stream = run(host, { config: calling('act', 'b'), messages: 'go' })
    const ends = endsOf(await collect(stream))
    const { messages } = await stream.result
    const parts = messages.flatMap((message) => message.parts)
    const told = parts.flatMap((part) => (part.type === 'tool-result' ? [part] : []))
    expect(told.map(({ isError }) => isError === true)).to.deep.equal([true, false])
    expect(ends.map(({ result }) => result)).to.deep.equal(told)
    expect(ends.map(({ state }) => state)).to.deep.equal(['failed', 'succeeded'])
  })
})

describe('an answer of a tool', () => {
  it('LT-01 with a getter that throws, or that is no JSON, is a failure', async () => {
    const throwing = () => ({
      get output() {
        throw new Error('not for you')
      },
    })
    const yielding = async function* () {
      yield 1n
      yield 'never'
    }
    const answers: readonly (readonly [Execute, RegExp])[] = [
      [yielding, /^The answer of the tool is not JSON at \//],
      [throwing, /not for you|not JSON/],
      [() => ({ output: 1n }), /^The answer of the tool is not JSON at \/output/],
      [() => () => 1, /^The answer of the tool is not JSON/],
    ]
    for (const [answer, text] of answers) {
      const [state, errorClass, output] = await fateOf([toolOf('act', answer)], calling('act'))
      expect([state, errorClass]).to.deep.equal(['failed', 'execution_failed'])
      expect(output).to.match(text)
    }
  })

  it('LT-01 that comes after the timeout changes nothing', async () => {
    let late: (value: string) => void = () => undefined
    const slow = toolOf('act', () => new Promise((resolve) => (late = resolve)))
    await using host = await scriptedHost([slow])
    const config = { ...calling('act'), limits: { execute_tool: 0.01 } }
    const events: RunEvent[] = []
    for await (const event of run(host, { config, messages: 'go' })) {
      events.push(event)
      if (event.type === 'tool-execution-end') late('too late')
    }
    expect(endsOf(events).map(({ state }) => state)).to.deep.equal(['timed_out'])
  })
})

describe('the calls of a step', () => {
  it('LR-12 run together where they are safe, and alone where they are not, as R R W R does', async () => {
    const running = new Set<string>()
    const together: string[] = []
    const slow = (name: string, safety: object) =>
      toolOf(
        name,
        async ({ callId }) => {
          running.add(callId)
          await new Promise((resolve) => setImmediate(resolve))
          together.push([...running].map(() => name).join(''))
          running.delete(callId)
          return name
        },
        safety,
      )
    await eventsOf([slow('r', SAFE), slow('w', {})], calling('r', 'r', 'w', 'r'))
    expect(together).to.deep.equal(['rr', 'r', 'w', 'r'])
  })

  it('CT-09 end as they finish, and stand in the history in their order', async () => {
    const order: string[] = []
    let first: (value: string) => void = () => undefined
    const slow = toolOf('slow', () => new Promise((resolve) => (first = resolve)), SAFE)
    const quick = toolOf('quick', () => 'quick', SAFE)
    await using host = await scriptedHost([slow, quick])
    const stream = run(host, { config: calling('slow', 'quick'), messages: 'go' })
    for await (const event of stream) {
      if (event.type !== 'tool-execution-end') continue
      order.push(event.result.name)
      first('slow')
    }
    expect(order).to.deep.equal(['quick', 'slow'])
    const { messages } = await stream.result
    const parts = messages.flatMap((message) => message.parts)
    expect(
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    ).to.deep.equal(['slow', 'quick'])
  })

  it('LR-05 have their results as parts of their own, never in the text', async () => {
    await using host = await scriptedHost([toolOf('act', () => 'forty-two')])
    const { messages } = await run(host, { config: calling('act'), messages: 'go' }).result
    const kinds = messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])
    expect(kinds).to.deep.equal([
      ['assistant', 'tool-call'],
      ['tool', 'tool-result'],
      ['assistant', 'text'],
    ])
    expect(JSON.stringify(messages.at(-1))).not.to.include('forty-two')
  })

  const failing = toolOf('fail', thrown('X'), SAFE)
  const waiting = tool('wait', {
    getToolSchemas: () => [schema('wait', { safety: SAFE })],
    executeTool: (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        const limit = setTimeout(() => resolve('waited'), 50)
        signal.addEventListener('abort', () => clearTimeout(limit))
      }),
  })
  const later = toolOf('later', () => 'ran')
  const classes = async (config: object) =>
    endsOf(
      await eventsOf([failing, waiting, later], { ...calling('fail', 'wait', 'later'), ...config }),
    ).map(({ result, state, error }) => [result.name, state, error?.class])

  it('LT-06 go on when one fails', async () => {
    expect(await classes({})).to.deep.equal([
      ['fail', 'failed', 'execution_failed'],
      ['wait', 'succeeded', undefined],
      ['later', 'succeeded', undefined],
    ])
  })

  it('LT-06 are cancelled when one fails, where the config says so', async () => {
    expect(await classes({ on_sibling_failure: 'cancel' })).to.deep.equal([
      ['fail', 'failed', 'execution_failed'],
      ['wait', 'canceled', 'sibling_canceled'],
      ['later', 'canceled', 'sibling_canceled'],
    ])
  })

  it('LR-13 end as cancelled when their run is cancelled', async () => {
    const controller = new AbortController()
    const stop = toolOf('stop', () => {
      controller.abort('enough')
      return new Promise(() => undefined)
    })
    const { signal } = controller
    await using host = await scriptedHost([stop, later])
    const stream = run(host, { config: calling('stop', 'later'), messages: 'go', signal })
    const ends = endsOf(await collect(stream))
    expect(ends.map(({ state, error }) => [state, error?.class])).to.deep.equal([
      ['canceled', 'canceled'],
      ['canceled', 'canceled'],
    ])
  })
})

describe('calls of one id', () => {
  const call = [
    { type: 'tool-call-start', id: 'c', name: 'act' },
    { type: 'tool-call-end', id: 'c', input: {} },
  ]

  async function eventsOfSteps(...steps: readonly (readonly object[])[]) {
    const ran: string[] = []
    let step = 0
    const provider = eventProvider([], {
      *stream() {
        yield* steps[step++] ?? textEvents('Done.')
      },
    })
    const act = toolOf('act', () => ran.push('act'))
    await using host = await createHost({ plugins: [provider, act] })
    const stream = run(host, { messages: 'go', config: { provider: provider.name } })
    const events = await collect(stream)
    return { ran, events, result: await stream.result }
  }

  it('in one answer end the run with an error, and none of them runs', async () => {
    const { ran, events } = await eventsOfSteps([...call, ...call])
    expect(events.at(-1)).to.have.nested.property('error.code', 'EVENTS_INVALID')
    expect(ran).to.deep.equal([])
  })

  it('in two steps run both, and each has its result behind it', async () => {
    const { ran, result } = await eventsOfSteps(call, call)
    expect(ran).to.deep.equal(['act', 'act'])
    expect(result.messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
  })
})

describe('a call whose run is stored', () => {
  it('LT-10 runs only once its record is stored, unless its tool only reads', async () => {
    const ran: string[] = []
    const gate = gateOf()
    const asked = gateOf()
    const committed = () => {
      asked.resolve()
      return gate.promise
    }
    const note = (name: string, safety: ToolSafety) => toolOf(name, () => ran.push(name), safety)
    const tools = [note('look', { is_read_only: true }), note('write', {})]
    await using host = await scriptedHost(tools)
    const { result } = run(host, { config: calling('look', 'write'), messages: 'go', committed })
    void result.then(() => undefined)
    await asked.promise
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(ran).to.deep.equal(['look'])
    gate.resolve()
    await result
    expect(ran).to.deep.equal(['look', 'write'])
  })

  it('LR-03 counts as one with effects where its tool does not say that it only reads', async () => {
    let waits = 0
    const committed = async () => {
      waits++
    }
    const tools = [
      toolOf('silent', () => 1),
      toolOf('looks', () => 2, { is_read_only: true }),
      toolOf('safe', () => 3, SAFE),
    ]
    await eventsOf(tools, calling('silent', 'looks', 'safe'), { committed })
    expect(waits).to.equal(2)
  })

  it('fails alone where the schema of its tool is broken, and names the tool and the fault', async () => {
    const input_schema = { type: 'object', properties: { a: { $ref: 'https://example.org/a' } } }
    const tools = [toolOf('broken', () => 'ran', {}, { input_schema }), toolOf('fine', () => 'ran')]
    const events = await eventsOf(tools, calling('broken', 'fine'))
    const [broken, fine] = endsOf(events)
    expect(broken).to.include({ state: 'failed' })
    expect(broken?.result.output).to.include('"broken" of plugin "broken" cannot be called')
    expect(broken?.result.output).to.include('https://example.org/a')
    expect(fine?.state).to.equal('succeeded')
    expect(events.at(-1)).to.include({ type: 'finish' })
  })

  it('runs where a pattern of its schema needs lookaround, which is told of', async () => {
    const a = { type: 'string', pattern: '^(?=.{1,5}$)a' }
    const input_schema = { type: 'object', properties: { a }, required: ['a'] }
    const look = toolOf('look', () => 'ran', {}, { input_schema })
    await using host = await scriptedHost([look])
    const config = callsOf([{ name: 'look', input: { a: 'a' } }])
    const stream = run(host, { messages: 'go', config })
    const [end] = endsOf(await collect(stream))
    expect(end?.result.output).to.equal('ran')
    const { warnings } = await stream.result
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include('Arguments are not checked against this pattern')
    const [wrong] = endsOf(await eventsOf([look], callsOf([{ name: 'look', input: {} }])))
    expect(wrong?.error?.class).to.equal('invalid_arguments')
  })

  it('LR-13 ends at once when its run is cancelled while its record is not stored', async () => {
    const ran: string[] = []
    const controller = new AbortController()
    const committed = () => {
      setImmediate(() => controller.abort('enough'))
      return new Promise<void>(() => undefined)
    }
    const { signal } = controller
    const write = toolOf('write', () => ran.push('write'))
    const events = await eventsOf([write], calling('write'), { committed, signal })
    expect(events.at(-1)).to.include({ type: 'abort', reason: 'enough' })
    expect(endsOf(events).map(({ error }) => error?.class)).to.deep.equal(['canceled'])
    expect(ran).to.deep.equal([])
  })

  it('LT-10 does not run where its record cannot be stored', async () => {
    const ran: string[] = []
    const write = toolOf('write', () => ran.push('write'))
    const committed = () => Promise.reject(new Error('the disk is full'))
    const [end] = endsOf(await eventsOf([write], calling('write'), { committed }))
    expect(ran).to.deep.equal([])
    expect([end?.state, end?.error?.class]).to.deep.equal(['failed', 'dependency_unavailable'])
    expect(end?.result.output).to.include('the disk is full')
  })
})
