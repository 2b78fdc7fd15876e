import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { type ConfigLayer, memoryResults, type ResultStore } from '../../src/core/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import type { Message, RunEvent, ToolResultPart } from '../../src/plugin/events/index.ts'
import { hashOf } from '../core/results/stores.ts'
import { collect, scriptedHost } from '../helpers/hosts.ts'
import { feature, schema, tool } from '../helpers/plugins.ts'

type End = Extract<RunEvent, { readonly type: 'tool-execution-end' }>

const LONG = 'a long way '.repeat(10_000)
const HASH = hashOf(LONG)

const big = (answer: () => unknown = () => LONG) =>
  tool('big', { getToolSchemas: () => [schema('big')], executeTool: answer })

const read = (more: object = {}) => ({
  name: 'read_result',
  input: { reference: HASH, ...more },
})

/** A model that makes these calls, a step each. */
function calls(...steps: readonly (readonly object[])[]): ConfigLayer {
  const script = steps.map((tool_calls, at) => ({ when: { step: at + 1 }, then: { tool_calls } }))
  return { settings: { scripted: { script: [...script, { then: { text: 'Done.' } }] } } }
}

/** Notes the names of the tools that each request offers. */
function witness() {
  const offered: string[][] = []
  const seen: (readonly Message[])[] = []
  const plugin = feature('witness', {
    init: ({ tools = [] }: { tools?: readonly { readonly name: string }[] }, state: object) => {
      offered.push(tools.map(({ name }) => name))
      return state
    },
    editMessages: (messages: readonly Message[]) => {
      seen.push(messages)
      return messages
    },
  })
  return { plugin, offered, seen }
}

async function eventsOf(tools: readonly object[], config: ConfigLayer, more: object = {}) {
  await using host = await scriptedHost(tools)
  const stream = run(host, { messages: 'go', config, ...more })
  const events = await collect(stream)
  return { events, ends: events.filter((one): one is End => one.type === 'tool-execution-end') }
}

const BIG = [{ name: 'big', input: {} }]

describe('a large result of a tool, in a run', () => {
  it('LT-09 LR-04 is a preview with its reference in the event, the history and the request', async () => {
    const { plugin, seen } = witness()
    const { events, ends } = await eventsOf([big(), plugin], calls(BIG))
    const references = [{ hash: HASH, mediaType: 'text/plain', size: LONG.length }]
    expect(ends[0]?.state).to.equal('succeeded')
    expect(ends[0]?.result.references).to.deep.equal(references)
    expect(ends[0]?.result.output).to.include(HASH).and.include('110000 bytes')
    const finish = events.at(-1)
    const messages = finish?.type === 'finish' ? finish.messages : []
    for (const history of [messages, seen[1] ?? []]) {
      const part = history.flatMap(({ parts }) => parts).find(({ type }) => type === 'tool-result')
      expect(part).to.deep.equal(ends[0]?.result)
    }
  })

  it('LT-09 LR-17 offers read_result from the next step on, and not before', async () => {
    const { plugin, offered } = witness()
    const small = tool('small', { getToolSchemas: () => [schema('small')], executeTool: () => 'x' })
    const steps = calls([{ name: 'small', input: {} }], BIG, [read({ offset: 100_000 })])
    const { ends } = await eventsOf([big(), small, plugin], steps)
    expect(offered).to.deep.equal([
      ['big', 'small'],
      ['big', 'small'],
      ['big', 'small', 'read_result'],
      ['big', 'small', 'read_result'],
    ])
    expect(ends.at(-1)?.result.output).to.equal(
      `[Bytes 100000 to 110000 of 110000. This is the end.]\n${LONG.slice(100_000)}`,
    )
    const early = await eventsOf([big()], calls([read(), ...BIG]))
    expect(early.ends.map(({ error }) => error?.class)).to.deep.equal(['unknown_tool', undefined])
  })

  it('LT-09 ends a call of read_result that cannot be answered as one with invalid arguments', async () => {
    const wrong = [
      read({ offset: 110_000 }),
      read({ offset: -1 }),
      read({ length: 0 }),
      read({ reference: 'f'.repeat(64) }),
      read({ reference: '../x' }),
    ]
    const { ends } = await eventsOf([big()], calls(BIG, wrong))
    for (const { state, error } of ends.slice(1)) {
      expect([state, error?.class]).to.deep.equal(['validation_failed', 'invalid_arguments'])
      expect(error?.advice).to.be.a('string')
    }
    expect(ends).to.have.length(6)
  })

  it('LT-09 is refused beyond 16 MiB, and the run goes on', async () => {
    const fifty = 'x'.repeat(50_000_000)
    const { events, ends } = await eventsOf([big(() => fifty)], calls(BIG))
    expect([ends[0]?.state, ends[0]?.error?.class]).to.deep.equal(['failed', 'result_too_large'])
    expect(String(ends[0]?.result.output)).to.match(/^The tool ran, but its result was dropped/)
    expect(events.at(-1)?.type).to.equal('finish')
  })

  it('LT-09 that cannot be stored is an error that says so, and the run goes on', async () => {
    const results: ResultStore = {
      ...memoryResults(),
      put: () => Promise.reject(new Error('The disk is full.')),
    }
    const { events, ends } = await eventsOf([big()], calls(BIG), { results })
    expect([ends[0]?.state, ends[0]?.error?.class]).to.deep.equal(['failed', 'result_too_large'])
    expect(ends[0]?.result.output).to.include('The disk is full.').and.include('a long way')
    expect(events.at(-1)?.type).to.equal('finish')
  })

  it('LT-09 that cannot be loaded is an error after which the model may try again', async () => {
    const results: ResultStore = {
      ...memoryResults(),
      load: () => Promise.reject(new HostError('STORAGE_FAILED', 'It is gone.')),
    }
    const { ends } = await eventsOf([big()], calls(BIG, [read()]), { results })
    expect(ends[1]?.error).to.include({ class: 'dependency_unavailable', retryable: true })
  })

  it('LT-09 of an answer with a getter that throws, or that is no JSON, is a failure', async () => {
    const text = 'x'.repeat(100_000)
    const getter = Object.defineProperty({ text }, 'bad', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    for (const answer of [getter, { text, bad: () => 1 }, { text, bad: 1n }]) {
      const { ends } = await eventsOf([big(() => answer)], calls(BIG))
      expect([ends[0]?.state, ends[0]?.error?.class]).to.deep.equal(['failed', 'execution_failed'])
    }
  })

  it('LT-09 of a failure stays a failure', async () => {
    const { ends } = await eventsOf([big(() => ({ output: LONG, isError: true }))], calls(BIG))
    expect([ends[0]?.state, ends[0]?.error?.class]).to.deep.equal(['failed', 'execution_failed'])
    expect(ends[0]?.result).to.include({ isError: true }).and.have.property('references')
  })

  it('LT-09 is larger than the limit of the config', async () => {
    const small = await eventsOf([big()], { ...calls(BIG), limits: { tool_result_bytes: 110_000 } })
    expect(small.ends[0]?.result.output).to.equal(LONG)
    const large = await eventsOf([big()], { ...calls(BIG), limits: { tool_result_bytes: 109_999 } })
    expect(large.ends[0]?.result).to.have.property('references')
  })

  it('LT-09 is told as progress by its preview', async () => {
    const values = tool('big', {
      getToolSchemas: () => [schema('big')],
      async *executeTool() {
        yield 'half'
        yield LONG
      },
    })
    const { events, ends } = await eventsOf([values], calls(BIG))
    const told = events.flatMap((one) =>
      one.type === 'tool-execution-progress' ? [one.progress] : [],
    )
    expect(told[0]).to.equal('half')
    expect(told[1]).to.match(/^\[110000 bytes\. The beginning:\]\na long way/)
    expect(ends[0]?.result.references?.[0]?.hash).to.equal(HASH)
  })

  it('LT-09 can be read in a later run of the same store, and in no other', async () => {
    const results = memoryResults()
    const { events } = await eventsOf([big()], calls(BIG), { results })
    const finish = events.at(-1)
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
      ...(finish?.type === 'finish' ? finish.messages : []),
      { role: 'user', parts: [{ type: 'text', text: 'more' }] },
    ]
    const { plugin, offered } = witness()
    const later = await eventsOf([plugin], calls([read({ offset: 109_990 })]), {
      messages,
      results,
    })
    expect(offered[0]).to.deep.equal(['read_result'])
    expect(later.ends[0]?.state).to.equal('succeeded')
    const other = await eventsOf([], calls([read()]), { messages })
    expect(other.ends[0]?.error?.class).to.equal('unknown_tool')
  })

  it('LT-09 has read_result on offer when a run goes on after an approval', async () => {
    await using host = await scriptedHost([big()])
    const config = { ...calls(BIG, [read()]), tool_policy: { read_result: 'ask' } } as const
    const results = memoryResults()
    const first = await run(host, { messages: 'go', config, results }).result
    const { suspension, messages } = first
    const [approval] = suspension?.approvals ?? []
    expect(approval?.name).to.equal('read_result')
    const verdicts = [{ approvalId: approval?.approvalId ?? '', approved: true }]
    const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] }
    const resume = suspension && { ...suspension, verdicts }
    const resumed = run(host, {
      messages: [asked, ...messages],
      config,
      results,
      ...(resume ? { resume } : {}),
    })
    const parts = (await resumed.result).messages.flatMap((message) => message.parts)
    const result = parts.find((one): one is ToolResultPart => one.type === 'tool-result')
    expect(String(result?.output)).to.match(/^\[Bytes 0 to 65280 of 110000\./)
  })

  describe('with another tool that is called read_result', () => {
    const other = tool('other', {
      getToolSchemas: () => [schema('read_result'), schema('big')],
      executeTool: ({ name }: { readonly name: string }) => (name === 'big' ? LONG : 'mine'),
    })

    it('LT-09 leaves the name to it, and lists why the own tool is not offered', async () => {
      const { plugin, offered } = witness()
      const { ends } = await eventsOf([other, plugin], calls(BIG, [read()]))
      expect(offered[1]).to.deep.equal(['read_result', 'big'])
      expect(ends[0]?.result.output).not.to.include('Read on')
      expect(ends[1]?.result.output).to.equal('mine')
      await using host = await scriptedHost([other])
      const own = (await host.toolSchemas({}, { inventory: true })).at(-1)
      expect(own).to.include({
        metadata_ref: 'read_result',
        offered: false,
        policy: 'unavailable',
        reason:
          'Another tool has its name: "read_result" of tool "other". Rename that one with "tool_names".',
      })
      expect(own?.why).to.deep.equal({ code: 'TOOL_NAME_TAKEN', name: 'read_result' })
    })

    it('LT-09 is read by the own tool once the other one is renamed', async () => {
      const tool_names = { 'other.read_result': 'look' }
      const { ends } = await eventsOf([other], { ...calls(BIG, [read()]), tool_names })
      expect(ends[0]?.result.output).to.include('Read on with the tool "read_result"')
      expect(String(ends[1]?.result.output)).to.match(/^\[Bytes 0 to /)
    })
  })

  it('LT-09 has no advice to read on where the policy denies read_result', async () => {
    const { plugin, offered } = witness()
    const config = { ...calls(BIG), tool_policy: { read_result: 'deny' } } as const
    const { ends } = await eventsOf([big(), plugin], config)
    expect(ends[0]?.result.output).not.to.include('Read on')
    expect(offered[1]).to.deep.equal(['big'])
    await using host = await scriptedHost([big()])
    const own = (await host.toolSchemas(config, { inventory: true })).at(-1)
    expect(own).to.include({ policy: 'denied', reason: 'The config denies it.' })
  })
})
