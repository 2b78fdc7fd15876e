import { expect } from 'chai'
import {
  type RunOptions,
  type RunResult,
  run,
  type StopCondition,
  systemEnvironment,
} from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { type LeftRun, type RunLeg, RunLog, resumptionOf } from '../../src/agent/run-log/index.ts'
import type { Storage, StoredRun } from '../../src/agent/storage/index.ts'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import type { Host } from '../../src/core/host/index.ts'
import {
  Accumulator,
  EventChecker,
  type Message,
  type RunEvent,
  type RunEventBody,
  type ToolSafety,
} from '../../src/plugin/events/index.ts'
import { sampled } from '../helpers/cases.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

const OWNER = 'ada'
const ID = 'run-1'

/** Two steps with calls, and an answer. */
const SCRIPT = [
  {
    when: { step: 1 },
    then: {
      text: 'First.',
      tool_calls: [
        { name: 'write', input: { n: 1 } },
        { name: 'write', input: { n: 2 } },
        { name: 'look', input: { n: 3 } },
      ],
    },
  },
  {
    when: { step: 2 },
    then: { text: 'Second.', tool_calls: [{ name: 'write', input: { n: 4 } }] },
  },
  { then: { text: 'Done.' } },
]
const CONFIG: ConfigLayer = { settings: { scripted: { script: SCRIPT } } }

const ASKING: ConfigLayer = { ...CONFIG, tool_policy: { write: 'ask' } }

type Ran = number[]

async function hostWith(
  ran: Ran,
  safety: ToolSafety,
  more: object = {},
  write = (n: number) => void ran.push(n),
): Promise<Host> {
  const executeTool = ({ name, input }: { name: string; input: { n: number } }) => {
    if (name === 'write') write(input.n)
    return `${name} ${input.n}`
  }
  const properties = { n: { type: 'integer' }, ...more }
  const input_schema = { type: 'object', properties }
  return scriptedHost([
    tool('files', {
      getToolSchemas: () => [
        schema('write', { safety, input_schema }),
        schema('look', { safety: { is_read_only: true, is_concurrency_safe: true } }),
      ],
      executeTool,
    }),
  ])
}

describe('a run whose process ended', () => {
  let storage: Storage
  let ran: Ran

  beforeEach(() => {
    storage = memoryStorage()
    ran = []
  })

  /** All events of the run, if nobody interrupts it. */
  async function whole(host: Host, config = CONFIG, more: Partial<RunOptions> = {}) {
    const stream = run(host, { config, messages: 'go', runId: ID, ...more })
    const events: RunEvent[] = []
    for await (const event of stream) events.push(event)
    return { events, result: await stream.result }
  }

  /** Stores the first events of a run whose process then ends. */
  async function left(events: readonly RunEvent[]): Promise<void> {
    const lease = { holder: 'dead', expiresAt: 0 }
    await storage.runs.start({ id: ID, owner: OWNER, order: {} }, lease, { entries: [] }, 1)
    await storage.runs.append('dead', [{ runId: ID, events }])
  }

  /** Goes on with the run in another process. Returns all its events, and how it ended there. */
  async function goOn(host: Host, config = CONFIG, more: Partial<RunOptions> = {}) {
    const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
    const results: Promise<RunResult>[] = []
    const taken = await log.recover(
      (holder) => holder === 'dead',
      async ({ interruption }: LeftRun) => ({
        open: (stored: StoredRun, { signal, committed }: RunLeg) => {
          const resume = interruption
          const order = { config, messages: 'go', resume, signal, committed, ...more }
          const stream = run(host, order)
          results.push(stream.result)
          expect(stored.id).to.equal(ID)
          return stream
        },
      }),
    )
    const events: RunEvent[] = []
    for await (const page of log.read(OWNER, ID)) events.push(...page)
    await log.close()
    return { taken, events, result: await results[0] }
  }

  function checked(events: readonly RunEvent[], first = 0): readonly Message[] {
    const checker = new EventChecker('run')
    const accumulator = new Accumulator()
    for (const event of events) {
      checker.check(event)
      accumulator.add(event)
    }
    expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => first + index))
    return accumulator.messages()
  }

  it('AW-66 stops by the same condition after every event, and counts each answer once', async () => {
    await using host = await hostWith(ran, { is_idempotent: true })
    const { result: free } = await whole(host)
    const [first = {}] = free.messages.flatMap(({ metadata }) => metadata?.usage ?? [])
    const max_total = (first.input ?? 0) + (first.output ?? 0) + 1
    const stopConditions: readonly StopCondition[] = [{ type: 'token_budget', max_total }]
    const { events, result } = await whole(host, CONFIG, { stopConditions })
    expect(result).to.include({ steps: 2 })
    expect(result.termination).to.include({ code: 'token_budget' })
    for (const count of sampled([...events.keys()], 5)) {
      storage = memoryStorage()
      await left(events.slice(0, count))
      const rest = await goOn(host, CONFIG, { stopConditions })
      const at = `after ${count} events, the last a ${events[count - 1]?.type}`
      expect(rest.result?.termination, at).to.deep.equal(result.termination)
      expect(rest.result?.messages, at).to.deep.equal(result.messages)
    }
  })

  it('LT-10 goes on after every event to the same end, with calls that may be repeated', async () => {
    await using host = await hostWith(ran, { is_idempotent: true })
    const { events, result } = await whole(host)
    expect(events.length).to.be.greaterThan(30)
    for (const count of sampled([...events.keys()], 5, 1)) {
      storage = memoryStorage()
      await left(events.slice(0, count))
      const rest = await goOn(host)
      const at = `after ${count} events, the last a ${events[count - 1]?.type}`
      expect(rest.result?.messages, at).to.deep.equal(result.messages)
      expect(checked(rest.events), at).to.deep.equal(result.messages)
      expect(rest.result, at).to.include({ status: 'done', finishReason: 'stop', steps: 3 })
      expect(rest.result?.usage, at).to.deep.equal(result.usage)
      expect(
        rest.events.filter(({ type }) => type === 'run-resumed'),
        at,
      ).to.have.length(1)
      expect(
        rest.events.filter(({ type }) => type === 'tool-inventory'),
        at,
      ).to.have.length(1)
    }
  })

  it('LT-10 repeats no call that began and does not say that it may be repeated', async () => {
    await using host = await hostWith(ran, {})
    const { events } = await whole(host)
    for (const count of sampled([...events.keys()], 5, 2)) {
      storage = memoryStorage()
      ran.length = 0
      const before = events.slice(0, count)
      await left(before)
      const rest = await goOn(host)
      const began = before.flatMap((event) =>
        event.type === 'tool-execution-start' && event.name === 'write' ? [event.callId] : [],
      )
      expect(ran, `after ${count} events`).to.have.length(3 - began.length)
      const ends = rest.events.flatMap((event) =>
        event.type === 'tool-execution-end' ? [event] : [],
      )
      expect(ends, `after ${count} events`).to.have.length(4)
      const unknown = ends.filter(({ error }) => error?.class === 'outcome_unknown')
      const isInCall = began.some(
        (id) => !before.some((event) => event.type === 'tool-execution-end' && event.callId === id),
      )
      expect(unknown, `after ${count} events`).to.have.length(isInCall ? 1 : 0)
      checked(rest.events)
    }
  })

  it('LT-10 runs a call that only reads again', async () => {
    await using host = await hostWith(ran, { is_read_only: true })
    const { events } = await whole(host)
    const began = events.findIndex(({ type }) => type === 'tool-execution-start')
    ran.length = 0
    await left(events.slice(0, began + 1))
    await goOn(host)
    expect(ran).to.deep.equal([1, 2, 4])
  })

  it('LT-10 tells of a call that fails when it is repeated, and goes on', async () => {
    await using before = await hostWith(ran, { is_idempotent: true })
    const { events } = await whole(before)
    const began = events.findIndex(({ type }) => type === 'tool-execution-start')
    await left(events.slice(0, began + 1))
    await using after = await hostWith([], { is_idempotent: true }, {}, () => {
      throw new Error('It was done before.')
    })
    const { events: all, result } = await goOn(after)
    const ends = all.flatMap((event) => (event.type === 'tool-execution-end' ? [event] : []))
    expect(ends[0]).to.include({ state: 'failed' })
    expect(ends[0]?.error?.class).to.equal('execution_failed')
    expect(ends[0]?.result.output).to.include('It was done before.')
    expect(result).to.include({ status: 'done', finishReason: 'stop' })
  })

  it('LR-17 runs no call of a tool that has changed since, and tells the model', async () => {
    await using before = await hostWith(ran, { is_idempotent: true })
    const { events } = await whole(before)
    ran.length = 0
    const answered = events.findIndex(({ type }) => type === 'step-finish')
    await left(events.slice(0, answered + 2))
    await using after = await hostWith(ran, { is_idempotent: true }, { mode: { type: 'string' } })
    const rest = await goOn(after)
    const classes = rest.events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.error?.class] : [],
    )
    // The first began, the second had not, the third is of another tool, the fourth comes later.
    expect(classes.slice(0, 3)).to.deep.equal(['outcome_unknown', 'policy_blocked', undefined])
    expect(ran).to.deep.equal([4])
  })

  /** Runs the first leg of a run whose calls of `write` ask, and answers the first of them with yes, the second with no. */
  async function suspended(host: Host): Promise<StoredRun> {
    let count = 0
    const environment = { ...systemEnvironment, newId: (kind: string) => `${kind}-${++count}` }
    const log = new RunLog({ storage, environment, log: () => undefined })
    await log.start({
      run: { id: ID, owner: OWNER, order: {} },
      open: (_, { signal }) =>
        run(host, { config: ASKING, messages: 'go', runId: ID, signal, environment }),
    })
    for await (const _ of log.read(OWNER, ID));
    await log.close()
    for (const [index, { id }] of (await storage.approvals.list(OWNER, ID)).entries()) {
      await storage.approvals.answer(OWNER, id, { approved: index === 0, answeredAt: 1 })
    }
    return (await storage.runs.load(OWNER, ID)) as StoredRun
  }

  it('LR-15 goes on after every event of a leg that runs approved calls', async () => {
    await using host = await hostWith(ran, {})
    const stored = await suspended(host)
    const approvals = await storage.approvals.list(OWNER, ID)
    const resume = resumptionOf(stored, approvals, { steps: 1 })
    const go = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const history = [go, ...checked(await storage.runs.events(OWNER, ID))]
    const reference = run(host, { config: ASKING, messages: history, resume })
    const events: RunEvent[] = []
    for await (const event of reference) events.push(event)
    const { messages } = await reference.result
    const first = events.findIndex(({ type }) => type === 'step-start')
    expect(ran).to.deep.equal([1])
    for (let count = 0; count <= first; count++) {
      storage = memoryStorage()
      await suspended(host)
      await storage.runs.resume(OWNER, ID, { holder: 'dead', expiresAt: 0 })
      ran.length = 0
      const before = events.slice(0, count)
      await storage.runs.append('dead', [{ runId: ID, events: before }])
      const { result, events: all } = await goOn(host, ASKING, { messages: history })
      const at = `after ${count} events, the last a ${before.at(-1)?.type}`
      const isBegun = before.some(({ type }) => type === 'tool-execution-start')
      expect(ran, at).to.deep.equal(isBegun ? [] : [1])
      const isEnded = before.some(({ type }) => type === 'tool-execution-end')
      if (isEnded || !isBegun) expect(result?.messages[0], at).to.deep.equal(messages[0])
      const leg = all.filter(({ seq }) => seq >= stored.nextSeq)
      const told = leg.filter(({ type }) => type === 'approval-resolved')
      expect(told, at).to.have.length(2)
      expect(leg.filter(({ type }) => type === 'tool-execution-end')).to.have.length(2)
      checked(leg, stored.nextSeq)
    }
  })

  /** Two steps whose calls have one id; the second call began. */
  function sameIds(): readonly RunEvent[] {
    const call = { callId: 'c', name: 'write', input: { n: 1 } } as const
    const messages = [{ role: 'assistant', parts: [{ type: 'tool-call', ...call }] }] as const
    const result = { type: 'tool-result', callId: 'c', name: 'write', output: 1 } as const
    const step = (number: number): readonly RunEventBody[] => [
      { type: 'step-start', step: number, requestId: 'r' },
      { type: 'step-finish', step: number, finishReason: 'tool-calls', usage: {}, messages },
      { type: 'tool-execution-start', ...call, safety: {} },
    ]
    const bodies: readonly RunEventBody[] = [
      { type: 'start', requestId: 'r' },
      ...step(1),
      { type: 'tool-execution-end', callId: 'c', result, state: 'succeeded' },
      ...step(2),
    ]
    return bodies.map((body, seq) => ({ ...body, runId: ID, seq, at: 1 }))
  }

  it('LT-10 tells calls apart that have one id, in a later step than the first', async () => {
    await left(sameIds())
    const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
    await log.recover((holder) => holder === 'dead')
    await log.close()
    const ends = (await storage.runs.events(OWNER, ID)).flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.error?.class] : [],
    )
    expect(ends).to.deep.equal([undefined, 'outcome_unknown'])
    storage = memoryStorage()
    await using host = await hostWith(ran, {})
    await left(sameIds())
    const { events, result } = await goOn(host)
    expect(ran).to.deep.equal([])
    expect(events.filter(({ type }) => type === 'tool-execution-end')).to.have.length(2)
    expect(result?.messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
  })

  it('is ended as interrupted after it has gone on three times', async () => {
    await using host = await hostWith(ran, { is_idempotent: true })
    const { events } = await whole(host)
    const resumed = (resumptions: number) =>
      ({ type: 'run-resumed', resumptions, reason: 'It ended.' }) as const
    const at = events.slice(0, 3)
    const more = [1, 2, 3].map((n) => ({ ...resumed(n), runId: ID, seq: 2 + n, at: 1 }))
    await left([...at, ...more])
    const { taken, events: all } = await goOn(host)
    expect(taken).to.equal(1)
    expect(all.at(-1)).to.have.nested.property('error.code', 'RUN_INTERRUPTED')
  })
})
