import { expect } from 'chai'
import { createRuntime, type RunOptions, type RunResult, run } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import { createHost, type Host } from '../../src/core/host/index.ts'
import type { Message, RunEvent } from '../../src/plugin/events/index.ts'
import type { ToolCall } from '../../src/plugin/index.ts'
import { collect, scriptedHost } from '../helpers/hosts.ts'
import { caller, eventProvider, extension, feature, schema, tool } from '../helpers/plugins.ts'
import { VirtualEnvironment } from '../helpers/virtual-environment.ts'

const CALL = { type: 'tool-call', callId: 'c1', name: 'look', input: {} } as const
const CALLS: Message = { role: 'assistant', parts: [CALL] }
const SAYS: Message = { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }

/** What a tool was called with, apart from functions. */
const seen: object[] = []
const looking = () =>
  tool('look', {
    getToolSchemas: () => [schema('look')],
    executeTool: ({ askModel: _ask, ...call }: ToolCall, _state: unknown, context: object) => {
      const values = Object.entries(context).filter(([, value]) => typeof value !== 'function')
      const { signal: _, storage: __, ...told } = Object.fromEntries(values)
      seen.push({ call, ...told })
      return 'ok'
    },
  })

/** The answer to messages: first a call, then a text. */
const answerTo = (messages: readonly Message[]) =>
  messages.some(({ role }) => role === 'tool') ? SAYS : CALLS

const streaming = () =>
  eventProvider([], {
    getTags: () => ['text', 'tools', 'history-repair'],
    stream: (messages: readonly Message[]) =>
      answerTo(messages) === SAYS
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'Done.' },
            { type: 'text-end', id: 't' },
          ]
        : [
            { type: 'tool-call-start', id: 'c1', name: 'look' },
            { type: 'tool-call-end', id: 'c1', input: {} },
          ],
  })
const whole = () =>
  caller('p', [], {
    getTags: () => ['text', 'tools', 'history-repair'],
    call: (messages: readonly Message[]) => [[], [answerTo(messages)], messages, {}],
  })

async function taken(
  host: Host,
  options: Partial<RunOptions> = {},
): Promise<{ readonly events: readonly RunEvent[]; readonly result: RunResult }> {
  const events: RunEvent[] = []
  const order = { messages: 'go', environment: new VirtualEnvironment(), ...options }
  const onEvent = (event: RunEvent) => void events.push(event)
  return { events, result: await run(host, { ...order, onEvent }).result }
}

describe('a run', () => {
  it('AW-17 is the same whether somebody reads its events or only waits for its result', async () => {
    await using host = await scriptedHost([looking()])
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'look' }] } },
      { then: { text: 'Done.' } },
    ]
    const order = { messages: 'go', config: { settings: { scripted: { script } } } }
    const waited = await taken(host, order)
    const shown: RunEvent[] = []
    const onEvent = (event: RunEvent) => void shown.push(event)
    const stream = run(host, { ...order, environment: new VirtualEnvironment(), onEvent })
    const events = await collect(stream)
    expect(waited.events.map(({ type }) => type)).to.include('tool-execution-end')
    expect(events).to.deep.equal(shown)
    expect(waited.events).to.deep.equal(events)
    expect(waited.result).to.deep.equal(await stream.result)
  })

  it('AW-63 passes its request through the features in registration order, each after the other', async () => {
    const adding = (name: string) =>
      feature(name, {
        editMessages: (messages: readonly Message[]) => [
          ...messages,
          { role: 'user', parts: [{ type: 'text', text: name }] },
        ],
        initializeRequest: (native: object, state: { readonly order?: readonly string[] }) => [
          native,
          { ...state, order: [...(state.order ?? []), name] },
        ],
      })
    let asked: unknown
    let orderOf: unknown
    const answering = eventProvider([], {
      stream: (messages: readonly Message[], { order }: { readonly order: unknown }) => {
        asked = messages.flatMap(({ parts }) => parts.map((part) => 'text' in part && part.text))
        orderOf = order
        return [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Hello.' },
          { type: 'text-end', id: 't' },
        ]
      },
    })
    await using host = await createHost({ plugins: [answering, adding('one'), adding('two')] })
    const runtime = await createRuntime({ host, agents: [{ id: 'a', plugin_ids: ['two', 'one'] }] })
    const { status } = await (await runtime.run('a', { messages: 'go' })).result
    expect(status).to.equal('done')
    expect(asked).to.deep.equal(['go', 'one', 'two'])
    expect(orderOf).to.deep.equal(['one', 'two'])
  })

  it('CT-11 closes each part of an answer that the provider leaves open, however the answer ends', async () => {
    const open = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'text-delta', id: 't', delta: 'Hello' },
    ]
    const cancel = new AbortController()
    const ends = {
      done: () => undefined,
      failed: () => {
        throw new Error('It broke.')
      },
      aborted: () => cancel.abort('enough'),
    }
    for (const [status, end] of Object.entries(ends)) {
      const leaving = eventProvider([], {
        async *stream() {
          yield* open
          end()
        },
      })
      await using host = await createHost({ plugins: [leaving] })
      const { events, result } = await taken(host, { signal: cancel.signal })
      expect(result.status).to.equal(status)
      const ofParts = events
        .map(({ type }) => type)
        .filter((type) => /^(text|reasoning)/.test(type))
      expect(ofParts.slice(0, 4), status).to.deep.equal(open.map(({ type }) => type))
      expect(ofParts.slice(4).toSorted(), status).to.deep.equal(['reasoning-end', 'text-end'])
    }
  })

  it('CT-13 stores no assistant message without content', async () => {
    const empty: Message = { role: 'assistant', parts: [{ type: 'text', text: '' }] }
    const bare: Message = { role: 'assistant', parts: [] }
    for (const finals of [[empty], [bare], [bare, SAYS, empty]]) {
      const answering = caller('p', finals)
      await using host = await createHost({ plugins: [answering] })
      const environment = new VirtualEnvironment()
      const storage = memoryStorage()
      const log = new RunLog({ storage, environment, log: () => undefined })
      await storage.conversations.create({ id: 'c', owner: 'ada', agent: 'a', sender: 's' }, 0)
      await log.start({
        run: { id: 'r', owner: 'ada', conversationId: 'c', order: {} },
        open: (_, { signal }) => run(host, { messages: 'go', runId: 'r', environment, signal }),
      })
      for await (const _ of log.read('ada', 'r'));
      const stored = await storage.conversations.entries('ada', 'c')
      const said = stored.map((entry) => 'message' in entry && entry.message.parts)
      expect(said).to.deep.equal(finals.includes(SAYS) ? [SAYS.parts] : [])
      await log.close()
      await storage.close()
    }
  })

  it('CT-14 has at most 16 steps, or as many as `max_rounds` of data or `maxSteps` of a program say', async () => {
    await using host = await scriptedHost([looking()])
    const script = [{ then: { text: 'Again.', tool_calls: [{ name: 'look' }] } }]
    const settings = { scripted: { script } }
    const stepsOf = async (options: Partial<RunOptions>) => {
      const { result } = await taken(host, options)
      expect(result.termination).to.include({ reason: 'stopped', code: 'max_rounds' })
      const last = result.messages.findLast(({ role }) => role === 'assistant')
      expect(last?.parts[0]).to.deep.equal({ type: 'text', text: 'Again.' })
      return result.steps
    }
    const limited = { settings, limits: { max_rounds: 3 } }
    expect(await stepsOf({ config: { settings } })).to.equal(16)
    expect(await stepsOf({ config: limited })).to.equal(3)
    expect(await stepsOf({ config: limited, maxSteps: 2 })).to.equal(2)
    const agents = [{ id: 'a', max_rounds: 4, config: { settings } }]
    const runtime = await createRuntime({ host, agents })
    expect((await (await runtime.run('a', { messages: 'go' })).result).steps).to.equal(4)
  })

  it('CT-18 gives tools the same, and leaves the same, where the provider does not stream', async () => {
    const traces = []
    for (const answering of [streaming(), whole()]) {
      seen.length = 0
      await using host = await createHost({ plugins: [answering, looking(), extension('idle')] })
      const { events, result } = await taken(host)
      expect(result.status).to.equal('done')
      const trace = events.filter(({ type }) => /^(start|step|tool-exec|tool-inv|fin)/.test(type))
      traces.push({ trace: trace.map(({ seq: _, ...event }) => event), result, seen: [...seen] })
    }
    const [streamed, called] = traces
    expect(streamed?.seen).to.have.length(1)
    expect(called).to.deep.equal(streamed)
  })
})
