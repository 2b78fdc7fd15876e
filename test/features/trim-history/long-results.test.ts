import { expect } from 'chai'
import trimHistory from '../../../features/trim-history/index.ts'
import { type Task, trim } from '../../../features/trim-history/trim.ts'
import { run } from '../../../src/agent/index.ts'
import type { ConfigLayer } from '../../../src/core/index.ts'
import type {
  ContextReport,
  Message,
  RunEvent,
  ToolResultPart,
} from '../../../src/plugin/events/index.ts'
import { hashOf } from '../../core/results/stores.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'
import { feature, schema, tool } from '../../helpers/plugins.ts'
import { call, step, text } from './conversations.ts'

const NEVER = new AbortController().signal
const lengthOf = (one: string): number => one.length

/** Trims as if every character were a token. */
async function trimmed(messages: readonly Message[], tokens: number, more: Partial<Task> = {}) {
  const reports: ContextReport[] = []
  const left = await trim(messages, {
    room: { tokens, why: 'a test' },
    longestResult: 2048,
    recent: 10,
    canReadAgain: true,
    note: '',
    provider: 'p',
    schemas: [],
    signal: NEVER,
    warn: () => undefined,
    report: (report) => reports.push(report),
    load: async () => lengthOf,
    ...more,
  })
  return { left, reports }
}

const outputsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [String(part.output)] : [])),
  )

const WORDS = 'seven words of a very long text. '.repeat(200)
const LINES = Array.from({ length: 900 }, (_, at) => `line ${at}`).join('\n')

describe('long results in trim-history', () => {
  it('AW-44 are shortened from 2,048 tokens on, to 1,600 characters and 24 lines, once they are answered', async () => {
    const short = 'x'.repeat(2000)
    const messages = [
      text('user', 'Go'),
      ...step('words', WORDS),
      ...step('lines', LINES),
      ...step('short', short),
      ...step('new', WORDS),
    ]
    const { left, reports } = await trimmed(messages, 1_000_000)
    const [words = '', lines = '', ...others] = outputsOf(left)
    expect(words.length).to.be.within(1300, 1600)
    expect(words).to.include(`the result is stored as ${hashOf(WORDS)}]`)
    expect(lines.split('\n').length).to.be.within(20, 24)
    expect(lines.startsWith('line 0\n')).to.equal(true)
    expect(lines.endsWith('line 899')).to.equal(true)
    expect(others).to.deep.equal([short, WORDS])
    expect(reports.map(({ status, ref }) => [status, ref])).to.deep.equal([
      ['shortened', 'result of look (words)'],
      ['shortened', 'result of look (lines)'],
    ])
  })

  it('AW-44 stay whole where the model cannot read them again', async () => {
    const messages = [text('user', 'Go'), ...step('a', WORDS), ...step('b')]
    const { left } = await trimmed(messages, 1_000_000, { canReadAgain: false })
    expect(left).to.equal(messages)
  })

  it('AW-44 are shortened before they are answered only where there is no room for them', async () => {
    const messages = [text('user', 'Go'), ...step('old'), ...step('new', WORDS)]
    const { left } = await trimmed(messages, 2500)
    expect(outputsOf(left).at(-1)?.length).to.be.within(1300, 1600)
  })

  it('AW-44 are many, and the newest are reported by name', async () => {
    const steps = Array.from({ length: 30 }, (_, at) => step(`c${at}`, `${at} ${WORDS}`))
    const { reports } = await trimmed([text('user', 'Go'), ...steps.flat()], 1_000_000)
    expect(reports).to.have.length(21)
    expect(reports[0]?.ref).to.equal('9 earlier results')
    expect(reports.at(-1)?.ref).to.equal('result of look (c28)')
  })

  it('AW-44 keeps the recent messages for as long as they fit, and then as many as fit', async () => {
    const messages = Array.from({ length: 40 }, (_, at) => [
      text('user', 'q'.repeat(40)),
      text('assistant', `${at}`),
    ]).flat()
    const lengthWith = async (recent: number, tokens = 1900) =>
      (await trimmed([...messages, text('user', 'New')], tokens, { recent })).left.length
    expect(await lengthWith(0)).to.be.below(60)
    expect(await lengthWith(70)).to.be.within(70, 80)
    expect(await lengthWith(70, 900)).to.be.within(10, 40)
  })

  it('AW-44 tells what was left out, and why', async () => {
    const messages = Array.from({ length: 40 }, () => text('user', 'q'.repeat(40)))
    const { left, reports } = await trimmed(messages, 1000)
    expect(reports).to.deep.equal([
      {
        kind: 'history',
        ref: `${40 - left.length} oldest messages`,
        status: 'left_out',
        reason: 'there is room for 1,000 tokens (a test)',
      },
    ])
  })
})

const LONG = WORDS + WORDS
const REFERENCE = { name: 'read_result', input: { reference: hashOf(LONG), offset: 3000 } }

describe('a run with trim-history', () => {
  /** A run of a model that looks, says so, and reads the rest; and what it was shown and offered. */
  async function ran(config: ConfigLayer = {}, plugins: readonly object[] = []) {
    const offered: string[][] = []
    const seen: (readonly Message[])[] = []
    const witness = feature('witness', {
      init: ({ tools = [] }: { tools?: readonly { readonly name: string }[] }, state: object) => {
        offered.push(tools.map(({ name }) => name))
        return state
      },
      toNative: (messages: readonly Message[], native: unknown) => {
        seen.push(messages)
        return native
      },
    })
    const look = tool('look', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => LONG,
    })
    const steps = [[{ name: 'look', input: {} }], [{ name: 'look', input: {} }], [REFERENCE]]
    const script = steps.map((tool_calls, at) => ({ when: { step: at + 1 }, then: { tool_calls } }))
    const settings = { scripted: { script: [...script, { then: { text: 'Done.' } }] } }
    await using host = await scriptedHost([look, ...plugins, trimHistory, witness], { settings })
    const all = { enabled_plugins: ['trim-history'], ...config }
    const events = await collect(run(host, { messages: 'go', config: all }))
    return { events, offered, seen }
  }

  const resultsIn = (events: readonly RunEvent[]): readonly ToolResultPart[] =>
    events.flatMap((event) => (event.type === 'tool-execution-end' ? [event.result] : []))

  const outputIn = (seen: readonly Message[] | undefined, at: number) =>
    outputsOf(seen ?? [])[at] ?? ''

  it('AW-44 LR-06 shows a long result whole, then in part, and read_result has the rest', async () => {
    const { events, offered, seen } = await ran()
    expect(offered).to.deep.equal([
      ['look'],
      ['look', 'read_result'],
      ['look', 'read_result'],
      ['look', 'read_result'],
    ])
    expect(outputIn(seen[1], 0)).to.equal(LONG)
    expect(outputIn(seen[2], 0)).to.match(
      /^seven words .*\n\[\d+ characters left out; the result is stored as [0-9a-f]{64}\]\n.* text\. $/,
    )
    expect(outputIn(seen[2], 1)).to.equal(LONG)
    const read = String(resultsIn(events)[2]?.output)
    expect(read).to.match(/^\[Bytes 3000 to 13200 of 13200/)
    expect(read.endsWith(LONG.slice(3000))).to.equal(true)
    const told = events.flatMap((event) => (event.type === 'context-resolved' ? [event.items] : []))
    expect(told[0]?.[0]).to.include({
      plugin: 'trim-history',
      kind: 'history',
      status: 'shortened',
    })
    // What is stored, and what people see, stays whole.
    expect(resultsIn(events)[0]?.output).to.equal(LONG)
  })

  it('AW-44 shows results whole where the policy denies read_result', async () => {
    const { seen } = await ran({ tool_policy: { read_result: 'deny' } })
    expect(outputIn(seen[3], 0)).to.equal(LONG)
  })

  it('AW-44 shows results whole where read_result is somebody else’s', async () => {
    const other = tool('other', { getToolSchemas: () => [schema('read_result')] })
    const { seen } = await ran({}, [other])
    expect(outputIn(seen[3], 0)).to.equal(LONG)
  })

  it('AW-44 offers no read_result for the same results without the feature', async () => {
    const { offered, events } = await ran({ enabled_plugins: [] })
    expect(offered.flat()).to.not.include('read_result')
    expect(resultsIn(events)[2]?.isError).to.equal(true)
  })

  it('AW-44 LR-06 answers a dangling call, whatever the provider', async () => {
    const seen: (readonly Message[])[] = []
    const witness = feature('witness', {
      toNative: (messages: readonly Message[], native: unknown) => {
        seen.push(messages)
        return native
      },
    })
    await using host = await scriptedHost([trimHistory, witness])
    const messages: Message[] = [
      text('user', 'Go'),
      { role: 'assistant', parts: [call('lost')] },
      text('user', 'Go on'),
    ]
    const config = { enabled_plugins: ['trim-history'] }
    const events = await collect(run(host, { messages, config }))
    expect(events.at(-1)?.type).to.equal('finish')
    expect(seen[0]?.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'user'])
    const told = events.flatMap((event) => (event.type === 'context-resolved' ? event.items : []))
    expect(told[0]).to.include({ status: 'missing', ref: 'result of look (lost)' })
    await using without = await scriptedHost([])
    expect((await run(without, { messages }).result).error?.code).to.equal('MESSAGES_INVALID')
  })
})
