import { expect } from 'chai'
import {
  type AgentEnvironment,
  type AgentRunOptions,
  type AgentSpec,
  createRuntime,
  type EnvironmentHook,
  type HookCall,
  memoryStorage,
  type RunEvent,
} from '../../../src/agent/index.ts'
import { RunLog } from '../../../src/agent/run-log/index.ts'
import type { Host } from '../../../src/core/host/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { type Message, textOf, toMessages } from '../../../src/plugin/events/index.ts'
import { collect, scriptedHost, typesOf } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { VirtualEnvironment } from '../../helpers/virtual-environment.ts'

interface Asked {
  readonly hooks?: readonly EnvironmentHook[]
  readonly environment?: AgentEnvironment
  readonly spec?: Partial<AgentSpec>
  readonly order?: Partial<AgentRunOptions>
  /** The tools that the model calls in its first answer. */
  readonly calls?: readonly string[]
}

/** A hook with tools. */
const offering = (name: string, names: readonly string[], more: Partial<EnvironmentHook> = {}) => ({
  name,
  schema: () => names.map((one) => schema(one)),
  dispatch: (called: string) => (names.includes(called) ? `${name} ran ${called}` : undefined),
  ...more,
})

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

async function thrownBy(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  return HostError.is(error) ? `${error.code}: ${error.message}` : String(error)
}

describe('environment hooks', () => {
  let host: Host
  before(async () => {
    host = await scriptedHost([tool('files', { getToolSchemas: () => [schema('read_file')] })])
  })
  after(() => host.close())

  function runtimeOf({ hooks = [], environment, spec, calls = [] }: Asked) {
    const called = calls.map((name) => ({ name, input: {} }))
    const first = called.length > 0 ? [{ when: { step: 1 }, then: { tool_calls: called } }] : []
    const script = [...first, { then: { text: 'Done.' } }]
    const config = { settings: { scripted: { script, delay_ms: 0 } } }
    const agents = [{ id: 'helper', config, ...spec }]
    return createRuntime({ host, agents, hooks, ...(environment ? { environment } : {}) })
  }

  /** Runs the agent: its events and result, and what the model was asked. */
  async function ran(asked: Asked) {
    const requests: Message[][] = []
    const order = { messages: 'Go', ...asked.order }
    const onAnswer: AgentRunOptions['onAnswer'] = ({ messages }) =>
      void requests.push(toMessages(messages).map((message) => ({ ...message })))
    const stream = await (await runtimeOf(asked)).run('helper', { ...order, onAnswer })
    const events = await collect(stream)
    const result = await stream.result
    const outputs = result.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
    )
    return { requests, events, result, outputs }
  }

  it('CT-04 have defaults for everything: one with only a name changes nothing', async () => {
    const environment = new VirtualEnvironment()
    const without = await ran({ environment })
    const having = await ran({ environment: new VirtualEnvironment(), hooks: [{ name: 'empty' }] })
    expect(having).to.deep.equal(without)
  })

  it('CT-04 offer tools, and run their calls', async () => {
    const { outputs, events } = await ran({ hooks: [offering('a', ['look'])], calls: ['look'] })
    expect(outputs).to.deep.equal(['a ran look'])
    const [start] = events.filter(({ type }) => type === 'tool-execution-start')
    expect(start).to.include({ name: 'look' })
  })

  it('CT-04 change the spec of an agent before it is resolved, each on the answer of the one before', async () => {
    const add = (name: string): EnvironmentHook => ({
      name,
      onBuildAgent: (spec) => ({ ...spec, system_prompt: `${spec.system_prompt ?? ''}${name}.` }),
    })
    const runtime = await runtimeOf({ hooks: [add('a'), add('b')] })
    expect((await runtime.resolve('helper')).spec.system_prompt).to.equal('a.b.')
    expect(runtime.agents[0], 'the registered spec').not.to.have.property('system_prompt')
    const bad: EnvironmentHook = {
      name: 'bad',
      onBuildAgent: (spec) => ({ ...spec, max_rounds: 0 }),
    }
    expect(await thrownBy((await runtimeOf({ hooks: [bad] })).resolve('helper'))).to.match(
      /^SPEC_INVALID: The agent "helper", as a hook built it, is not valid at \/max_rounds/,
    )
    const renaming: EnvironmentHook = { name: 'x', onBuildAgent: (spec) => ({ ...spec, id: 'y' }) }
    expect(await thrownBy((await runtimeOf({ hooks: [renaming] })).resolve('helper'))).to.match(
      /^HOOK_FAILED: "onBuildAgent" of the environment hook "x" failed: it renamed/,
    )
  })

  it('CT-05 compose in the order of registration', async () => {
    const hooks: readonly EnvironmentHook[] = ['a', 'b'].map((name) => ({
      ...offering(name, [`look_${name}`]),
      systemPrompt: () => `Scope of ${name}.`,
      preprocess: (_, content) => [...content, { type: 'text', text: `, says ${name}` }],
      onBeforeRun: (_, __, history) => `${name} saw ${history.length}`,
    }))
    const { requests, outputs, result } = await ran({
      hooks: [{ name: 'silent', preprocess: () => undefined }, ...hooks],
      spec: { system_prompt: 'You help.' },
      calls: ['look_b', 'look_a'],
      order: { messages: [user('one'), { role: 'assistant', parts: [] }, user('two')] },
    })
    expect(
      requests[0]?.map((message) => message.parts.map((part) => Object.values(part)[1])),
    ).to.eql([
      ['You help.', 'Scope of a.\nScope of b.'],
      ['one'],
      [],
      ['a saw 3'],
      ['b saw 3'],
      ['two', ', says a'],
    ])
    expect(outputs).to.deep.equal(['b ran look_b', 'a ran look_a'])
    expect(result.status).to.equal('done')
  })

  it('CT-05 ask the hook of a tool first, and then the others', async () => {
    const asked: string[] = []
    const hook = (name: string, tools: readonly string[], answer?: string): EnvironmentHook => ({
      ...offering(name, tools),
      dispatch: () => {
        asked.push(name)
        return answer
      },
    })
    const hooks = [hook('a', []), hook('b', ['look']), hook('c', [], 'c ran it')]
    expect((await ran({ hooks, calls: ['look'] })).outputs).to.deep.equal(['c ran it'])
    expect(asked).to.deep.equal(['b', 'a', 'c'])
  })

  it('CT-06 refuse a name that two of them claim, and name both', async () => {
    const hooks = [offering('a', ['look']), offering('b', ['look'])]
    expect(await thrownBy((await runtimeOf({ hooks })).resolve('helper'))).to.equal(
      'TOOL_ID_CONFLICT: The tool "look" comes from both the environment hook "a" and the environment hook "b". Rename or remove one of them.',
    )
    const taken = await runtimeOf({ hooks: [offering('a', ['read_file'])] })
    expect(await thrownBy(taken.resolve('helper'))).to.match(
      /^TOOL_ID_CONFLICT: .*"read_file".*tool "files" and the environment hook "a"/,
    )
    const twice = runtimeOf({ hooks: [{ name: 'a' }, { name: 'a' }] })
    expect(await thrownBy(twice)).to.match(/^OPTION_INVALID: There are two environment hooks "a"/)
  })

  it('CT-07 get calls with the agent, the sender and the conversation', async () => {
    const calls: (readonly [string, HookCall])[] = []
    const dispatch = (name: string, call: HookCall) => {
      calls.push([name, call])
      return 'ran'
    }
    await ran({
      hooks: [offering('a', ['look'], { dispatch })],
      calls: ['look'],
      order: { sender: 'ada', conversationId: 'c1' },
    })
    expect(calls).to.have.length(1)
    const [name, { signal, ...call }] = calls[0] ?? expect.fail('no call')
    expect(name).to.equal('look')
    expect(signal).to.be.instanceOf(AbortSignal)
    expect(call).to.deep.equal({
      callId: 'call_1',
      input: {},
      agent: 'helper',
      sender: 'ada',
      conversationId: 'c1',
    })
  })

  it('CT-08 answer a call that nobody claims with an error result, and the run goes on', async () => {
    const hooks = [offering('a', ['look'], { dispatch: () => undefined })]
    const { outputs, events, result } = await ran({ hooks, calls: ['look', 'lok'] })
    expect(String(outputs[0])).to.match(/^Tool not registered: look\./)
    expect(String(outputs[1])).to.match(/^Tool not registered: lok\. .*Did you mean "look"\?/)
    const errors = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.error?.class] : [],
    )
    expect(errors).to.deep.equal(['unknown_tool', 'unknown_tool'])
    expect(textOf(result.messages.at(-1) as Message)).to.equal('Done.')
  })

  it('CT-08 refuse a call outside of the scope that the hook has for the agent', async () => {
    const scopedTools = ({ id }: AgentSpec) => (id === 'helper' ? ['look'] : [])
    const { outputs, result, events } = await ran({
      hooks: [offering('a', ['look', 'touch'], { scopedTools })],
      calls: ['touch', 'look'],
    })
    const { tools = [] } = events.find((event) => event.type === 'tool-inventory') ?? {}
    const touch = tools.find(({ tool_name: name }) => name === 'touch')
    expect(touch?.why).to.deep.equal({ code: 'TOOL_OUT_OF_SCOPE', hook: 'a' })
    expect(outputs[0]).to.match(/^Tool not available: touch\. .*scope.*"a"/)
    expect(outputs[1]).to.equal('a ran look')
    expect(result.status).to.equal('done')
  })

  it('CT-16 insert just before the latest user message, marked, and strip what an earlier run inserted', async () => {
    const old = { ...user('old'), metadata: { insertedBy: 'hook' } }
    const { requests, result } = await ran({
      hooks: [{ name: 'a', onBeforeRun: () => [user('noted')] }],
      calls: ['nothing'],
      order: { messages: [user('one'), old, user('two')] },
    })
    const [first, second] = requests
    expect(first?.map((message) => [textOf(message), message.metadata?.['insertedBy']])).to.eql([
      ['one', undefined],
      ['noted', 'hook'],
      ['two', undefined],
    ])
    expect(second?.slice(0, 3)).to.deep.equal(first)
    expect(result.messages.map(textOf)).not.to.include('noted')
  })

  it('CT-27 leave every message of two runs stored, and nothing that was inserted', async () => {
    const environment = new VirtualEnvironment()
    const storage = memoryStorage()
    const log = new RunLog({ storage, environment, log: () => undefined })
    const conversation = { id: 'c', owner: 'ada', agent: 'helper', sender: 'ada' }
    await storage.conversations.create(conversation, environment.now())
    let inserted = 3
    const requests: string[][] = []
    const hook = { name: 'a', onBeforeRun: () => Array(inserted--).fill(user('noted')) }
    const runtime = await runtimeOf({ hooks: [hook], environment })
    for (const text of ['one', 'two']) {
      const before = await storage.conversations.history('ada', 'c')
      const asked = user(text)
      const messages = before.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
      const runId = environment.newId('run')
      const entries = [
        { kind: 'message', id: environment.newId('message'), message: asked },
      ] as const
      const stream = await runtime.run('helper', {
        messages: [...messages, asked],
        runId,
        onAnswer: (answer) => void requests.push(toMessages(answer.messages).map(textOf)),
      })
      await log.start({
        run: { id: runId, owner: 'ada', conversationId: 'c', order: {} },
        append: { entries },
        open: () => stream,
      })
      await collect(log.read('ada', runId))
    }
    await log.close()
    expect(requests).to.deep.equal([
      ['noted', 'noted', 'noted', 'one'],
      ['one', 'Done.', 'noted', 'noted', 'two'],
    ])
    const stored = await storage.conversations.history('ada', 'c')
    const texts = stored.map((entry) => (entry.kind === 'message' ? textOf(entry.message) : ''))
    expect(texts.filter((text) => text !== '')).to.deep.equal(['one', 'Done.', 'two', 'Done.'])
  })

  it('CT-28 see the same events in the same order as "onAgentEvent" and the reader', async () => {
    const seen: RunEvent[] = []
    const told: RunEvent[] = []
    const failed: string[] = []
    const { events, result } = await ran({
      hooks: [
        { name: 'bad', onEvent: () => expect.fail('oh') },
        {
          name: 'a',
          onEvent: (agent, conversation, event) => {
            expect([agent, conversation]).to.deep.equal(['helper', 'c1'])
            seen.push(event)
          },
        },
        { ...offering('b', ['look']), onEvent: async () => Promise.reject(new Error('late')) },
      ],
      environment: { onAgentEvent: (_, __, event) => void told.push(event) },
      calls: ['look', 'gone'],
      order: { conversationId: 'c1' },
    })
    failed.push(...result.warnings)
    expect(seen).to.deep.equal(events)
    expect(told).to.deep.equal(events)
    expect(typesOf(events).at(-1)).to.equal('finish')
    expect(failed).to.include('"onEvent" of the environment hook "bad" failed: oh')
    expect(failed).to.include('"onEvent" of the environment hook "b" failed: late')
  })

  it('CT-29 ask the model for the history, the instructions and the tools, and nothing else', async () => {
    const { requests } = await ran({
      hooks: [{ name: 'a', systemPrompt: () => 'Scope.' }],
      order: { messages: [user('one')], conversationId: 'c1', sender: 'ada' },
    })
    expect(requests[0]).to.deep.equal([
      { role: 'system', parts: [{ type: 'text', text: 'Scope.' }] },
      user('one'),
    ])
  })

  it('fail a run before it begins, with the names of hook and member', async () => {
    const hook: EnvironmentHook = { name: 'a', onBeforeRun: () => Promise.reject(new Error('no')) }
    const runtime = await runtimeOf({ hooks: [hook] })
    expect(await thrownBy(runtime.run('helper', { messages: 'Go' }))).to.equal(
      'HOOK_FAILED: "onBeforeRun" of the environment hook "a" failed: no',
    )
  })

  it('fail a run whose answer is of another kind, with the names of hook and member', async () => {
    const wrong: readonly [member: string, answer: unknown, told: RegExp][] = [
      ['schema', 'none', /it returned no list of tools$/],
      ['schema', [{}], /a tool that it returned has no name$/],
      ['preprocess', 5, /parts/],
      ['preprocess', [{ type: 'tex' }], /tex/],
    ]
    for (const [member, answer, told] of wrong) {
      const runtime = await runtimeOf({ hooks: [{ name: 'a', [member]: () => answer }] })
      const error = await thrownBy(runtime.run('helper', { messages: 'Go' }))
      expect(error).to.match(new RegExp(`^HOOK_FAILED: "${member}" of the environment hook "a"`))
      expect(error).to.match(told)
    }
  })

  it('have tools that catalogs apply to', async () => {
    const runtime = await runtimeOf({
      hooks: [offering('a', ['look', 'touch'])],
      spec: { allowed_tools: ['look'] },
    })
    const { tools } = await runtime.resolve('helper')
    const offered = tools.filter((one) => one.offered).map(({ tool_name }) => tool_name)
    expect(offered).to.deep.equal(['look'])
  })
})
