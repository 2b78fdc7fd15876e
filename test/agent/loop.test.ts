import { expect } from 'chai'
import { type RunOptions, run } from '../../src/agent/index.ts'
import type { CallerTool } from '../../src/core/tool-schemas/offered-tools.ts'
import {
  Accumulator,
  EventChecker,
  type Message,
  type RunEvent,
} from '../../src/plugin/events/index.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { extension, schema, tool } from '../helpers/plugins.ts'
import { timers } from '../helpers/timers.ts'

interface ScriptCall {
  readonly name: string
  readonly input?: unknown
  readonly arguments?: string
}

/** A script whose first answer makes these calls, and whose second says what became of them. */
function scriptOf(...calls: readonly ScriptCall[]) {
  return {
    settings: {
      scripted: {
        script: [
          { when: { step: 1 }, then: { text: 'Let me see.', tool_calls: calls } },
          { then: { text: 'Done.' } },
        ],
      },
    },
  }
}

const SAFE = { safety: { is_concurrency_safe: true } }

/** A tool plugin of one schema. */
function toolOf(name: string, executeTool: (...args: never[]) => unknown, more: object = {}) {
  return tool(name, { getToolSchemas: () => [schema(name, more)], executeTool })
}

function results(messages: readonly Message[]) {
  return messages
    .flatMap((message) => message.parts)
    .flatMap((part) =>
      part.type === 'tool-result' ? [[part.callId, part.output, part.isError]] : [],
    )
}

function outputs(messages: readonly Message[]) {
  return results(messages).map(([, output]) => output)
}

describe('run', () => {
  it('fails where the host was closed before, as a request does', async () => {
    const host = await scriptedHost()
    await host.close()
    const { status, error } = await run(host, { config: {}, messages: 'Hello' }).result
    expect([status, error?.code]).to.deep.equal(['failed', 'HOST_CLOSED'])
  })

  describe('with a plugin that changes messages in place', () => {
    const changing = (change: (message: Message) => void) =>
      extension('changing', {
        editMessages: (messages: readonly Message[]) => {
          for (const message of messages.slice(1)) change(message)
          return messages
        },
      })
    const add = toolOf('add', () => 3)
    const config = scriptOf({ name: 'add', input: {} })

    it('fails where the plugin changes a message of an earlier step', async () => {
      const change = (message: Message) => void Object.assign(message, { role: 'robot' })
      const host = await scriptedHost([add, changing(change)])
      const { status, error } = await run(host, { config, messages: 'go' }).result
      expect(status).to.equal('failed')
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'changing', hook: 'editMessages' })
    })

    it('leaves the messages of the caller and of the result as changeable as they were', async () => {
      const host = await scriptedHost([add])
      const given: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }]
      const { messages } = await run(host, { config, messages: given }).result
      for (const message of [...given, ...messages]) {
        expect(Object.isFrozen(message)).to.equal(false)
        expect(message.parts.some((part) => Object.isFrozen(part))).to.equal(false)
      }
    })
  })

  it('reads the messages that it was given no more often with every step', async () => {
    let read = 0
    const part = { type: 'data', name: 'x' }
    Object.defineProperty(part, 'data', { enumerable: true, get: () => ++read })
    const host = await scriptedHost([toolOf('add', () => 3)])
    const messages = [{ role: 'user', parts: [part, { type: 'text', text: 'go' }] }] as never
    const readsOf = async (maxSteps: number) => {
      read = 0
      const script = [{ then: { tool_calls: [{ name: 'add', input: {} }] } }]
      const config = { settings: { scripted: { script } } }
      await run(host, { config, messages, maxSteps }).result
      return read
    }
    expect(await readsOf(9)).to.equal(await readsOf(2))
  })

  it('goes on until the model calls no more tools', async () => {
    const host = await scriptedHost([
      toolOf('add', ({ input }: { input: { a: number; b: number } }) => input.a + input.b),
    ])
    const stream = run(host, {
      config: scriptOf({ name: 'add', input: { a: 1, b: 2 } }),
      messages: 'go',
    })
    const events = await collect(stream)
    const result = await stream.result
    expect(result).to.deep.include({ status: 'done', finishReason: 'stop', steps: 2 })
    expect(result.messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'tool',
      'assistant',
    ])
    expect(outputs(result.messages)).to.deep.equal([3])
    expect(
      typesOf(events).filter((type) => /^(start|step|tool-execution|finish)/.test(type)),
    ).to.deep.equal([
      'start',
      'step-start',
      'step-finish',
      'tool-execution-start',
      'tool-execution-end',
      'step-start',
      'step-finish',
      'finish',
    ])
  })

  it('numbers its events, which the checker takes and the accumulator adds up to its messages', async () => {
    const host = await scriptedHost([toolOf('a', () => 1, SAFE), toolOf('b', () => 2, SAFE)])
    const stream = run(host, {
      config: scriptOf({ name: 'a', input: {} }, { name: 'b', input: {} }),
      messages: 'go',
    })
    const events = await collect(stream)
    expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index))
    expect(new Set(events.map(({ runId }) => runId)).size).to.equal(1)
    const checker = new EventChecker('run')
    const accumulator = new Accumulator()
    for (const event of events) checker.check(event)
    for (const event of events.slice(0, -1)) accumulator.add(event)
    expect(accumulator.messages()).to.deep.equal((await stream.result).messages)
  })

  it('adds up the usage of its steps', async () => {
    const host = await scriptedHost([toolOf('a', () => 1)])
    const stream = run(host, { config: scriptOf({ name: 'a', input: {} }), messages: 'go' })
    const steps = (await collect(stream)).flatMap((event) =>
      event.type === 'step-finish' ? [event.usage.output ?? 0] : [],
    )
    const { usage } = await stream.result
    expect(steps).to.have.length(2)
    expect(usage.output).to.equal((steps[0] ?? 0) + (steps[1] ?? 0))
  })

  it('ends by itself at maxSteps, the last calls answered', async () => {
    const host = await scriptedHost([toolOf('again', () => 'more')])
    const config = {
      settings: {
        scripted: { script: [{ then: { tool_calls: [{ name: 'again', input: {} }] } }] },
      },
    }
    const result = await run(host, { config, messages: 'go', maxSteps: 3 }).result
    expect(result).to.deep.include({ status: 'done', finishReason: 'tool-calls', steps: 3 })
    expect(outputs(result.messages)).to.deep.equal(['more', 'more', 'more'])
    const limited = await run(host, {
      config: { ...config, limits: { max_rounds: 2 } },
      messages: 'go',
    }).result
    expect(limited.steps).to.equal(2)
  })

  it('takes a failing request as its own end, with what had come before', async () => {
    const host = await scriptedHost([toolOf('a', () => 1)])
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'a', input: {} }] } },
      { then: { text: 'one two three', fault: { type: 'cut', after_chunks: 4 } } },
    ]
    const stream = run(host, { config: { settings: { scripted: { script } } }, messages: 'go' })
    const events = await collect(stream)
    expect(events.at(-1)?.type).to.equal('error')
    const result = await stream.result
    expect(result.status).to.equal('failed')
    expect(result.error?.code).to.equal('STREAM_INTERRUPTED')
    expect(outputs(result.messages)).to.deep.equal([1])
  })

  it('takes one more step where a final asks for it, and fails with its code at the limit', async () => {
    const asks = { metadata: { retry: { code: 'OUTPUT_INVALID', message: 'Say it in JSON.' } } }
    const host = await scriptedHost()
    const once = [
      { when: { text: 'in json' }, then: { text: '{}' } },
      { then: { text: 'no', ...asks } },
    ]
    const retried = await run(host, {
      config: { settings: { scripted: { script: once } } },
      messages: 'go',
    }).result
    expect(retried).to.deep.include({ status: 'done', steps: 2 })
    expect(retried.messages[1]).to.deep.equal({
      role: 'user',
      parts: [{ type: 'text', text: 'Say it in JSON.' }],
      metadata: { insertedBy: 'host' },
    })
    const always = [{ then: { text: 'no', ...asks } }]
    const failed = await run(host, {
      config: { settings: { scripted: { script: always } } },
      messages: 'go',
      maxSteps: 2,
    }).result
    expect(failed.error?.code).to.equal('OUTPUT_INVALID')
    expect(failed.steps).to.equal(2)
  })

  it('goes on with an answer that the provider paused, up to eight times in a row', async () => {
    const host = await scriptedHost()
    const ran = async (then: object) => {
      const script = [{ when: { step: 1 }, then: { text: 'half', metadata: { paused: true } } }]
      const config = { settings: { scripted: { script: [...script, { then }] } } }
      return run(host, { config, messages: 'go' }).result
    }
    const whole = await ran({ text: 'whole' })
    expect(whole).to.deep.include({ status: 'done', finishReason: 'stop', steps: 2 })
    expect(whole.messages.map(({ role }) => role)).to.deep.equal(['assistant', 'assistant'])
    const never = await ran({ text: 'more', metadata: { paused: true } })
    expect(never).to.deep.include({ status: 'done', steps: 9 })
  })

  it('forces a call in the first step alone', async () => {
    const host = await scriptedHost([toolOf('look', () => 'seen')])
    const result = await run(host, { config: { tool_choice: 'required' }, messages: 'Say hello' })
      .result
    expect(result.status).to.equal('done')
    expect(result.steps).to.equal(2)
  })

  it('ends with the finish reason of an answer that was cut in a call of the caller', async () => {
    const reasonOf = async (finish_reason: string) => {
      await using host = await scriptedHost()
      const then = { tool_calls: [{ name: 'look' }], finish_reason }
      const config = { settings: { scripted: { script: [{ then }] } } }
      const options = { config, messages: 'go', tools: [schema('look')] }
      const { finishReason, termination } = await run(host, options).result
      expect(termination).to.deep.equal({ reason: 'suspended' })
      return finishReason
    }
    expect(await reasonOf('length')).to.equal('length')
    expect(await reasonOf('content-filter')).to.equal('content-filter')
    expect(await reasonOf('stop')).to.equal('tool-calls')
  })

  describe('whose caller brings tools and requires a call', () => {
    const answer: CallerTool = { ...schema('answer'), execute: () => 'noted' }
    const { execute: _, ...awaited } = answer
    const namesOf = (messages: readonly Message[]) =>
      messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
      )
    const asked = async (tool: CallerTool, choice: 'required' | { readonly tool: string }) => {
      const host = await scriptedHost([toolOf('look', () => 'seen')])
      const config = { tool_choice: choice }
      const { messages, steps } = await run(host, { config, messages: 'Say hello', tools: [tool] })
        .result
      return { calls: namesOf(messages), steps }
    }

    it('goes on requiring one after calls of the host, until one of the caller’s tools is called', async () => {
      expect(await asked(awaited, 'required')).to.deep.equal({
        calls: ['look', 'answer'],
        steps: 2,
      })
    })

    it('lets the model go on freely after that call', async () => {
      expect(await asked(answer, 'required')).to.deep.equal({ calls: ['look', 'answer'], steps: 3 })
    })

    it('requires a named tool once, whosever it is', async () => {
      expect(await asked(answer, { tool: 'answer' })).to.deep.equal({ calls: ['answer'], steps: 2 })
      expect(await asked(answer, { tool: 'look' })).to.deep.equal({ calls: ['look'], steps: 2 })
    })

    it('ends before it asks the model where the named tool is not there', async () => {
      const host = await scriptedHost([toolOf('look', () => 'seen')])
      const config = { tool_choice: { tool: 'loook' } }
      const { status, error, steps } = await run(host, { config, messages: 'Say hello' }).result
      expect(status).to.equal('failed')
      expect(error).to.include({ code: 'REQUEST_INVALID', pointer: '/tool_choice' })
      expect(error?.message).to.include('"loook"').and.to.include('Did you mean "look"?')
      expect(steps).to.equal(0)
    })

    it('ends before it asks the model where the named tool is withheld or denied', async () => {
      const host = await scriptedHost([toolOf('look', () => 'seen')])
      const refused = async (options: Partial<RunOptions>, policy?: 'deny') => {
        const config = {
          tool_choice: { tool: 'answer' },
          ...(policy ? { tool_policy: { answer: policy } } : {}),
        }
        const all = { config, messages: 'Say hello', tools: [awaited], ...options }
        const { error, steps } = await run(host, all).result
        expect(error).to.include({ code: 'REQUEST_INVALID', pointer: '/tool_choice' })
        expect(steps).to.equal(0)
        return error?.message
      }
      const start = '"tool_choice" names the tool "answer", which the model is not offered: '
      const withholds = ({ name }: { readonly name: string }) =>
        name === 'answer' ? 'it is too late for it' : undefined
      expect(await refused({ withholds })).to.equal(`${start}it is too late for it.`)
      expect(await refused({}, 'deny')).to.equal(`${start}the tool policy denies it.`)
    })
  })
})

describe('the events of a run', () => {
  it('come in the order of their numbers, however slowly they are read', async () => {
    const walk = toolOf('walk', async function* () {
      yield* [1, 2, 3, 'there']
    })
    const host = await scriptedHost([walk])
    const numbers: number[] = []
    const config = scriptOf({ name: 'walk', input: {} })
    for await (const { seq } of run(host, { config, messages: 'go' })) {
      numbers.push(seq)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(numbers).to.deep.equal(numbers.map((_, index) => index))
  })

  it('end with the ending, whatever a tool emits later', async () => {
    let late: { emit(event: object): void } | undefined
    const leave = toolOf('leave', (...[, , context]: never[]) => {
      late = context
      return 'left'
    })
    const host = await scriptedHost([leave])
    const types: string[] = []
    const config = scriptOf({ name: 'leave', input: {} })
    for await (const { type } of run(host, { config, messages: 'go' })) {
      types.push(type)
      if (type === 'finish') late?.emit({ type: 'data', name: 'late', data: 1 })
    }
    expect(types.at(-1)).to.equal('finish')
  })

  it('say why it was cancelled, between two steps too', async () => {
    const controller = new AbortController()
    const stop = toolOf('stop', () => controller.abort(new Error('the user left')))
    const host = await scriptedHost([stop])
    const { signal } = controller
    const config = scriptOf({ name: 'stop', input: {} })
    const events = await collect(run(host, { config, messages: 'go', signal }))
    expect(events.at(-1)).to.include({ type: 'abort', reason: 'the user left' })
  })

  it('are an error where the signal is none', async () => {
    const host = await scriptedHost()
    const signal = new AbortController() as unknown as AbortSignal
    const events = await collect(run(host, { messages: 'go', signal }))
    expect(typesOf(events)).to.deep.equal(['start', 'error'])
  })
})

describe('tool calls of a run', () => {
  async function resultOf(
    executeTool: (...args: never[]) => unknown,
    call: object = {},
    config = {},
  ) {
    const host = await scriptedHost([
      toolOf('act', executeTool, {
        input_schema: { type: 'object', properties: { n: { type: 'number' } } },
      }),
    ])
    const result = await run(host, {
      config: { ...scriptOf({ name: 'act', input: {}, ...call }), ...config },
      messages: 'go',
    }).result
    expect(result.status).to.equal('done')
    const [first] = results(result.messages)
    return { output: first?.[1], isError: first?.[2] === true }
  }

  const shapes: [title: string, answer: unknown, output: unknown][] = [
    ['a string', 'text', 'text'],
    ['any JSON', { a: [1] }, { a: [1] }],
    ['nothing', undefined, null],
    ['parts', [{ type: 'text', text: 'x' }], [{ type: 'text', text: 'x' }]],
    ['an output', { output: 5 }, 5],
    [
      'an envelope for one provider',
      { native: { openai: 1 }, output: 'plain' },
      { native: { openai: 1 }, output: 'plain' },
    ],
  ]
  for (const [title, answer, output] of shapes) {
    it(`CL-46 may end in ${title}`, async () => {
      expect(await resultOf(() => answer)).to.deep.equal({ output, isError: false })
    })
  }

  const failures: [
    title: string,
    execute: (...args: never[]) => unknown,
    call: object,
    config: object,
    says: string,
  ][] = [
    ['its own error', () => ({ output: 'no', isError: true }), {}, {}, 'no'],
    [
      'a throw',
      () => {
        throw new Error('broken')
      },
      {},
      {},
      'broken',
    ],
    ['a rejection', () => Promise.reject(new Error('broken')), {}, {}, 'broken'],
    ['an unknown name', () => 1, { name: 'acct' }, {}, 'Did you mean "act"?'],
    [
      'arguments that are no JSON',
      () => 1,
      { input: undefined, arguments: '{"n": 1' },
      {},
      'not JSON',
    ],
    [
      'arguments that do not match',
      () => 1,
      { input: { n: 'x' } },
      {},
      '"n" must be of type number',
    ],
    ['a number that is not JSON', () => ({ n: NaN }), {}, {}, 'at /n: NaN is not JSON'],
    ['an answer that is not JSON', () => ({ f: () => 1 }), {}, {}, 'not JSON at /f'],
    [
      'a tool that never answers',
      () => new Promise(() => undefined),
      {},
      { limits: { execute_tool: 0.01 } },
      'did not answer within 0.01 s',
    ],
  ]
  for (const [title, execute, call, config, says] of failures) {
    it(`become an error result of ${title}`, async () => {
      const { output, isError } = await resultOf(execute, call, config)
      expect(isError).to.equal(true)
      expect(output).to.contain(says)
    })
  }

  it('are the whole answer, if it has more members than a result with its kind', async () => {
    const answer = { output: 1, unit: 'm' }
    expect((await resultOf(() => answer, {}, {})).output).to.deep.equal(answer)
  })

  it('LR-04 tell of their progress; the last value is also the result', async () => {
    const host = await scriptedHost([
      toolOf('work', async function* () {
        yield 'a third'
        yield 'two thirds'
        yield 'all'
      }),
    ])
    const stream = run(host, { config: scriptOf({ name: 'work', input: {} }), messages: 'go' })
    const told = (await collect(stream)).flatMap((event) =>
      event.type === 'tool-execution-progress' ? [event.progress] : [],
    )
    expect(told).to.deep.equal(['a third', 'two thirds', 'all'])
    expect(outputs((await stream.result).messages)).to.deep.equal(['all'])
  })

  it('LR-04 tell of a progress at once, not with the next one', async () => {
    let goOn: () => void = () => undefined
    const seen = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const work = toolOf('work', async function* () {
      yield 'begun'
      await seen
      yield 'all'
    })
    const host = await scriptedHost([work])
    const config = scriptOf({ name: 'work', input: {} })
    for await (const event of run(host, { config, messages: 'go' })) {
      if (event.type === 'tool-execution-progress') goOn()
    }
  })

  it('run together where neighbors are safe beside each other, and alone where not', async () => {
    const log: string[] = []
    const waiting: (() => void)[] = []
    const slow = (name: string) => async () => {
      log.push(`+${name}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
      log.push(`-${name}`)
      return name
    }
    const release = setInterval(() => waiting.pop()?.(), 1)
    const host = await scriptedHost([toolOf('read', slow('r'), SAFE), toolOf('write', slow('w'))])
    const calls = ['read', 'read', 'write', 'read'].map((name) => ({ name, input: {} }))
    const stream = run(host, { config: scriptOf(...calls), messages: 'go' })
    const events = await collect(stream)
    clearInterval(release)
    expect(log).to.deep.equal(['+r', '+r', '-r', '-r', '+w', '-w', '+r', '-r'])
    const ends = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.callId] : [],
    )
    const ordered = results((await stream.result).messages).map(([callId]) => callId)
    expect([...ends].sort()).to.deep.equal([...ordered].sort())
    const started = events.flatMap((event) =>
      event.type === 'tool-execution-start' ? [event.callId] : [],
    )
    expect(ordered).to.deep.equal(started)
  })

  it('may be many together, and Node warns of nothing', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const wait = toolOf('wait', () => new Promise((resolve) => setImmediate(resolve)), SAFE)
    const host = await scriptedHost([wait])
    const calls = Array.from({ length: 20 }, () => ({ name: 'wait', input: {} }))
    const { messages } = await run(host, { config: scriptOf(...calls), messages: 'go' }).result
    process.off('warning', note)
    expect(outputs(messages)).to.have.length(20)
    expect(warnings).to.deep.equal([])
  })

  it('are cancelled with the run, and each still has its result', async () => {
    await Promise.resolve()
    const before = timers()
    let aborted = false
    const stuck = (_call: unknown, _state: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise(() =>
        signal.addEventListener(
          'abort',
          () => {
            aborted = true
          },
          { once: true },
        ),
      )
    const host = await scriptedHost([toolOf('stuck', stuck)])
    const controller = new AbortController()
    const stream = run(host, {
      config: scriptOf({ name: 'stuck', input: {} }, { name: 'stuck', input: {} }),
      messages: 'go',
      signal: controller.signal,
    })
    const seen: RunEvent[] = []
    for await (const event of stream) {
      seen.push(event)
      if (event.type === 'tool-execution-start') setImmediate(() => controller.abort('enough'))
    }
    expect(seen.at(-1)).to.deep.include({ type: 'abort', reason: 'enough' })
    expect(aborted).to.equal(true)
    const result = await stream.result
    expect(results(result.messages).map(([, , isError]) => isError)).to.deep.equal([true, true])
    expect(timers()).to.be.at.most(before)
  })

  it('may be of tools that the caller brings along', async () => {
    const host = await scriptedHost()
    const tools: CallerTool[] = [{ ...schema('lookup'), execute: (input) => ({ found: input }) }]
    const result = await run(host, {
      config: scriptOf({ name: 'lookup', input: { id: 1 } }),
      messages: 'go',
      tools,
    }).result
    expect(outputs(result.messages)).to.deep.equal([{ found: { id: 1 } }])
  })

  it('of such tools may tell of their progress too', async () => {
    const walk: CallerTool = {
      ...schema('walk'),
      async *execute() {
        yield 'half'
        yield 'there'
      },
    }
    const host = await scriptedHost()
    const config = scriptOf({ name: 'walk', input: {} })
    const stream = run(host, { config, messages: 'go', tools: [walk] })
    const events = await collect(stream)
    expect(typesOf(events)).to.include('tool-execution-progress')
    expect(outputs((await stream.result).messages)).to.deep.equal(['there'])
  })

  it('of the client end the run, after the host has run its own', async () => {
    const host = await scriptedHost([toolOf('own', () => 'mine')])
    const config = scriptOf({ name: 'ask', input: {} }, { name: 'own', input: {} })
    const result = await run(host, { config, messages: 'go', tools: [schema('ask')] }).result
    expect(result).to.deep.include({ status: 'done', finishReason: 'tool-calls', steps: 1 })
    expect(outputs(result.messages)).to.deep.equal(['mine'])
  })

  for (const [reason, options] of [
    ['The reason: the catalog.', { withholds: () => 'the catalog' }],
    ['The policy of this host denies it.', { config: { tool_policy: { ask: 'deny' } } }],
  ] as const) {
    it(`LT-07 of a tool of the client that is not on offer are denied, and the run goes on: ${reason}`, async () => {
      const host = await scriptedHost()
      const config = {
        ...('config' in options ? options.config : {}),
        settings: {
          scripted: {
            script: [
              { when: { step: 1 }, then: { tool_calls: [{ name: 'ask', input: {} }] } },
              { then: { text: 'Done.' } },
            ],
          },
        },
      }
      const tools = [schema('ask')]
      const stream = run(host, { ...options, config, messages: 'go', tools })
      const ends = (await collect(stream)).filter(({ type }) => type === 'tool-execution-end')
      const { steps, termination, messages } = await stream.result
      expect(ends).to.have.length(1)
      expect(ends[0]).to.deep.include({ state: 'denied' })
      expect({ steps, termination }).to.deep.equal({
        steps: 2,
        termination: { reason: 'natural_end' },
      })
      expect(outputs(messages)).to.deep.equal([`Tool not available: ask. ${reason}`])
    })
  }

  it('reach a tool under its own name, whatever the model was shown', async () => {
    let called: unknown
    const plugin = tool('files', {
      getToolSchemas: () => [schema('read file')],
      executeTool: (call: { name: string }) => (called = call.name),
    })
    const host = await scriptedHost([plugin], { tool_names: { 'files.read file': 'cat' } })
    await run(host, { config: scriptOf({ name: 'cat', input: {} }), messages: 'go' }).result
    expect(called).to.equal('read file')
  })

  it('may emit events and warn, though the request that offered them is over', async () => {
    const talk = (
      _call: unknown,
      _state: unknown,
      context: { emit(event: object): void; warn(text: string): void },
    ) => {
      context.emit({ type: 'data', name: 'map', data: [1, 2] })
      context.warn('the map is old')
      return 'shown'
    }
    const host = await scriptedHost([toolOf('talk', talk)])
    const stream = run(host, { config: scriptOf({ name: 'talk', input: {} }), messages: 'go' })
    const events = await collect(stream)
    expect(events.filter(({ type }) => type === 'data')).to.have.length(1)
    expect((await stream.result).warnings).to.deep.equal(['talk: the map is old'])
  })

  it('become an error result where a tool emits what is no event', async () => {
    const { output, isError } = await resultOf(
      (_call: unknown, _state: unknown, context: { emit(event: object): void }) =>
        context.emit({ type: 'song' }),
    )
    expect(isError).to.equal(true)
    expect(output).to.contain('"song"')
  })
})
