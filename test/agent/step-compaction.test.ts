import { expect } from 'chai'
import { historyOfNodes, loadShownNodes } from '../../src/agent/history/index.ts'
import {
  type AgentSpec,
  type Interruption,
  messagesAfter,
  type RunOptions,
  type RunResult,
  run,
  systemEnvironment,
} from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import { openCalls } from '../../src/agent/settle-calls.ts'
import type { CompactionMarker, Storage } from '../../src/agent/storage/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import {
  EventChecker,
  type Message,
  type RunEvent,
  textOf,
  toMessages,
} from '../../src/plugin/events/index.ts'
import { sampled } from '../helpers/cases.ts'
import { factFaults } from '../helpers/fact-schemas.ts'
import { caller, schema, tool } from '../helpers/plugins.ts'

const OWNER = 'ada'
const TALK = 'talk'
const ID = 'run-1'
const LONG = 'word '.repeat(1200)
const STEPS = 8
const QUESTION = 'What do they say?'

const AGENT: Pick<AgentSpec, 'id' | 'context_policy'> = {
  id: 'a',
  context_policy: { autocompact_threshold: 5000 },
}
const PROMPT: Message = { role: 'system', parts: [{ type: 'text', text: 'You are a reader.' }] }
const ASKED: Message = { role: 'user', parts: [{ type: 'text', text: QUESTION }] }

function isSummaryRequest(messages: readonly Message[]): boolean {
  return messages.some((message) => textOf(message).startsWith('Summarize'))
}

describe('compactions within a run', () => {
  let host: Host
  let sent: (readonly Message[])[]
  let summary: () => string
  let usage: object
  /** The numbers with which the model calls `wipe`, which needs an approval. */
  let asksAt: readonly number[]

  /** Calls `look` with the next number until there are enough, as what it is sent tells. */
  const answerTo = (messages: readonly Message[]): readonly object[] => {
    if (isSummaryRequest(messages)) {
      return [{ type: 'text', text: `${summary()} [${lastLook(messages)}]` }]
    }
    const next = lastLook(messages) + 1
    if (next > STEPS) return [{ type: 'text', text: 'That is all.' }]
    const name = asksAt.includes(next) ? 'wipe' : 'look'
    return [{ type: 'tool-call', callId: `c${next}`, name, input: { at: next } }]
  }

  beforeEach(async () => {
    sent = []
    summary = () => 'in short'
    usage = {}
    asksAt = []
    const call = async (native: readonly Message[], state: object) => {
      sent.push(native)
      const parts = answerTo(native)
      const metadata = { finishReason: 'stop', usage }
      return [[], [{ role: 'assistant', parts, metadata }], native, state]
    }
    const looking = tool('looking', {
      getToolSchemas: () => [schema('look', { safety: { is_read_only: true } }), schema('wipe')],
      executeTool: ({ input }: { input: { at: number } }) => {
        if (input.at === 2) throw new Error('the second is shut')
        return `look ${input.at} ${LONG}`
      },
    })
    host = await createHost({
      plugins: [caller('model', [], { call }), looking],
      config: { provider: 'model', limits: { max_rounds: 30 }, tool_policy: { wipe: 'ask' } },
    })
  })
  afterEach(() => host.close())

  const optionsOf = (more: Partial<RunOptions> = {}): RunOptions => ({
    messages: [PROMPT, ASKED],
    agent: AGENT,
    runId: ID,
    ...more,
  })
  const told = async (more?: Partial<RunOptions>) => {
    const events: RunEvent[] = []
    const stream = run(host, optionsOf(more))
    for await (const event of stream) events.push(event)
    return { events, result: await stream.result }
  }
  const requests = () => sent.filter((messages) => !isSummaryRequest(messages))

  it('CT-20 replace the older steps from the threshold on, and keep the question', async () => {
    const { result } = await told()
    expect(result).to.include({ status: 'done', steps: STEPS + 1 })
    expect(result.messages).to.have.length(2 * STEPS + 1)
    expect(result.compactions?.length).to.be.above(1)
    const last = requests().at(-1) ?? []
    expect(last.slice(0, 3).map(({ role }) => role)).to.deep.equal(['system', 'user', 'user'])
    expect(textOf(last[1]!)).to.include('in short [')
    expect(textOf(last[2]!)).to.equal(QUESTION)
    expect(last.length).to.be.below(9)
    for (const messages of requests()) {
      expect(openCalls(messages)).to.deep.equal([])
      expect(JSON.stringify(messages).length).to.be.below(40_000)
    }
  })

  it('CT-20 go by the tokens that the API counted', async () => {
    usage = { input: 100, output: 10 }
    const { result } = await told()
    expect(result.compactions).to.equal(undefined)
  })

  it('AW-40 are not done without a threshold, or where the section says off', async () => {
    const off = { ...AGENT, sections: { compaction: { mode: 'off' } } }
    for (const agent of [{ id: 'a' }, off]) {
      const { events } = await told({ agent })
      expect(events.filter(({ type }) => type.startsWith('compaction'))).to.deep.equal([])
    }
  })

  it('CT-21 ask with the prompt of the agent in front, and count what they use', async () => {
    usage = { input: 6000, output: 10 }
    const answers: Message[][] = []
    const { result } = await told({
      onAnswer: ({ messages }) => answers.push([...(messages as readonly Message[])]),
    })
    const asked = sent.filter(isSummaryRequest)
    expect(asked.length).to.be.above(1)
    for (const messages of asked) {
      expect(messages.map(({ role }) => role)).to.deep.equal(['system', 'user'])
    }
    expect(answers).to.have.length(sent.length)
    expect(result.usage).to.deep.equal({ input: 6000 * sent.length, output: 10 * sent.length })
  })

  it('LR-08 keep an error without a later success', async () => {
    await told()
    const last = requests().at(-1) ?? []
    expect(textOf(last[1]!)).to.include('look({"at":2})').and.include('the second is shut')
  })

  it('LR-07 are told: that they began, what they came to, and in the context of the request', async () => {
    const { events } = await told()
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    const at = events.findIndex(({ type }) => type === 'compaction-start')
    expect(events[at]).to.include({ trigger: 'threshold' })
    const end = events[at + 1]
    const { done } = end?.type === 'compaction-end' ? end : expect.fail('it has no end')
    expect(done).to.deep.include({ runIds: [ID] })
    expect(done?.preview).to.include('in short')
    expect(done?.tokens?.after).to.be.below(done?.tokens?.before ?? 0)
    const context = events.slice(at).find((event) => event.type === 'context-resolved')
    expect(JSON.stringify(context)).to.include(`took the place of ${done?.replaced} messages`)
  })

  it('CT-21 go on with all messages where the summary cannot be used, and try once', async () => {
    summary = () => LONG.repeat(20)
    const { events, result } = await told()
    expect(result).to.include({ status: 'done' })
    expect(result.compactions).to.equal(undefined)
    const ends = events.filter((event) => event.type === 'compaction-end')
    expect(ends).to.have.length(1)
    expect(ends[0]).to.have.nested.property('error.code', 'COMPACTION_FAILED')
    expect(requests().at(-1)).to.have.length(2 * STEPS + 2)
  })

  it('CT-23 tell no marker whose archive is not stored', async () => {
    const results = {
      put: () => Promise.reject(new Error('the disk is full')),
      load: async () => undefined,
    }
    const { events, result } = await told({ results })
    expect(result).to.include({ status: 'done' })
    const ends = events.filter((event) => event.type === 'compaction-end')
    expect(ends.map(({ done }) => done)).to.deep.equal([undefined])
    expect(JSON.stringify(ends)).to.not.include('disk')
  })

  it('CT-20 count what the run was given, however little its steps add', async () => {
    const given = { role: 'assistant', parts: [{ type: 'text', text: LONG.repeat(4) }] } as const
    const small = { ...AGENT, context_policy: { autocompact_threshold: 6000 } }
    const { result } = await told({ agent: small, messages: [PROMPT, ASKED, given, ASKED] })
    expect(result.compactions?.[0]).to.include({ cut: 0 })
    expect(requests()).to.have.length(STEPS + 1)
    for (const messages of requests().slice(1)) {
      expect(JSON.stringify(messages)).to.not.include(given.parts[0].text)
    }
    const last = requests().at(-1) ?? []
    expect(JSON.stringify(last)).to.not.include(given.parts[0].text)
    expect(last.filter((message) => textOf(message) === QUESTION)).to.have.length(1)
  })

  describe('of what a run was given', () => {
    const said = (role: Message['role'], text: string, used?: object): Message => ({
      role,
      parts: [{ type: 'text', text }],
      ...(used ? { metadata: { usage: used } } : {}),
    })
    const talk = (used?: object) =>
      [1, 2, 3].flatMap((at) => [said('user', `${at} ${LONG}`), said('assistant', 'yes', used)])
    /** Where a run of steps that are small compacts, and what its requests had. */
    const compacted = async (more: Partial<RunOptions>) => {
      const { events, result } = await told({ maxSteps: 2, ...more })
      const steps = events.flatMap((event, at) =>
        event.type === 'compaction-start' ? [stepAt(events, at)] : [],
      )
      return { steps, result, first: requests()[0]?.map(textOf) ?? [] }
    }
    const stored = { committed: () => Promise.resolve() }
    const small = { ...AGENT, context_policy: { autocompact_threshold: 4000 } }
    const given = (used?: object) => [PROMPT, ...talk(used), ASKED]

    it('AW-42 come before the first step, by an estimate, and keep the newest messages', async () => {
      const { steps, first } = await compacted({ agent: small, messages: given() })
      expect(steps).to.deep.equal([1])
      expect(first[1]).to.include('5 earlier messages').and.include('in short [0]')
      expect(first.slice(2)).to.deep.equal(['yes', QUESTION])
    })

    it('AW-43 hold for the next run, and for the later compactions of the run', async () => {
      const messages = given()
      const once = await compacted({ agent: small, messages, maxSteps: 1 })
      const next = messagesAfter(messages, once.result)
      expect(next.slice(0, 4)).to.deep.equal(requests()[0])
      expect(next.slice(4)).to.deep.equal(once.result.messages)

      const { steps, result } = await compacted({ agent: small, messages, maxSteps: STEPS + 1 })
      expect(steps[0]).to.equal(1)
      expect(steps.length).to.be.above(1)
      const { cut = 0, replaced } = result.compactions?.at(-1) ?? {}
      expect(replaced).to.equal(talk().length + cut)
      const last = requests().at(-1)?.map(textOf) ?? []
      expect(last.filter((text) => text === 'yes')).to.deep.equal([])
      expect(last.filter((text) => text === QUESTION)).to.have.length(1)
    })

    it('CT-20 do not come before it where the API counted less, or nothing is worth it', async () => {
      const counted = await compacted({ agent: small, messages: given({ input: 90, output: 9 }) })
      expect(counted.steps[0]).to.not.equal(1)
      const question = said('user', LONG.repeat(3))
      const short = [said('user', 'hi'), said('assistant', 'yes'), question]
      expect((await compacted({ agent: small, messages: short })).steps).to.deep.equal([])
    })

    it('CT-20 come before the second step, once the API has counted the first', async () => {
      usage = { input: 4000, output: 1 }
      const { steps, result } = await compacted({ messages: given(), agent: small, ...stored })
      expect(steps).to.deep.equal([2])
      expect(result.compactions?.[0]).to.include({ cut: 0, replaced: 6 })
    })

    it('AW-42 wait for more steps where more messages stay than a stored run can name', async () => {
      const context_policy = { ...small.context_policy, compaction_raw_suffix_messages: 4 }
      const agent = { ...small, context_policy }
      const messages = given()
      expect((await compacted({ agent, messages, ...stored, maxSteps: 3 })).steps).to.deep.equal([
        3,
      ])
      const { steps, result } = await compacted({ agent, messages, maxSteps: 3 })
      expect(steps[0]).to.equal(1)
      expect(result.compactions?.[0]).to.include({ cut: 0, stays: 4 })
    })
  })

  describe('before an approval', () => {
    const approved = (result: RunResult) => {
      const { suspension } = result
      if (!suspension) return expect.fail('nothing waits')
      const verdicts = suspension.approvals.map(({ approvalId }) => ({
        approvalId,
        approved: true,
      }))
      const resume: RunOptions['resume'] = JSON.parse(JSON.stringify({ ...suspension, verdicts }))
      return resume ?? expect.fail('nothing goes on')
    }
    /** The run with all its legs, each with the messages so far. */
    const legs = async (next: typeof messagesAfter) => {
      let messages: readonly Message[] = [PROMPT, ASKED]
      let { result } = await told({ messages })
      messages = next(messages, result)
      for (const _ of asksAt) {
        ;({ result } = await told({ messages, resume: approved(result) }))
        messages = next(messages, result)
      }
      return { result, messages }
    }
    const all: typeof messagesAfter = (given, { messages }) => [...toMessages(given), ...messages]

    for (const [how, next] of Object.entries({ 'all messages': all, messagesAfter })) {
      it(`CT-20 hold after it, with ${how} of the run`, async () => {
        asksAt = [6, 7]
        const { result } = await legs(next)
        expect(result).to.include({ status: 'done', steps: STEPS + 1 })
        expect(requests()).to.have.length(STEPS + 1)
        const [first] = requests().slice(6)
        expect(textOf(first?.[1] ?? PROMPT)).to.include('in short [')
        for (const messages of requests()) {
          expect(openCalls(messages)).to.deep.equal([])
          expect(messages.filter((message) => textOf(message) === QUESTION)).to.have.length(1)
          expect(JSON.stringify(messages).length).to.be.below(40_000)
        }
      })
    }

    it('AW-43 hold for the next run, which messagesAfter gives what the last request had', async () => {
      asksAt = [6]
      const { messages } = await legs(messagesAfter)
      expect(messages.slice(0, -1)).to.deep.equal(requests().at(-1))
      expect(textOf(messages.at(-1)!)).to.equal('That is all.')
    })

    it('are refused if what a program kept of them is not what the run told', async () => {
      asksAt = [6]
      const { result } = await told()
      const resume = { ...approved(result), compacted: { rest: 2 } } as unknown
      const messages = messagesAfter([PROMPT, ASKED], result)
      const refused = await told({ messages, resume: resume as RunOptions['resume'] & object })
      expect(refused.result.error).to.include({ code: 'OPTION_INVALID' })
      expect(refused.result.error?.message).to.include('"compacted"')
    })
  })

  describe('in a storage', () => {
    let storage: Storage
    beforeEach(() => {
      storage = memoryStorage()
    })

    const results = () => ({
      put: (file: { mediaType: string; bytes: Uint8Array }) => storage.files.put(OWNER, file, TALK),
      load: (hash: string) => storage.files.load(OWNER, hash, TALK),
    })
    const begin = async () => {
      const { conversations } = storage
      await conversations.create({ id: TALK, owner: OWNER, agent: 'a', sender: OWNER }, 1)
      const lease = { holder: 'dead', expiresAt: 0 }
      const entries = [{ id: 'asked', kind: 'message', message: ASKED }] as const
      const started = { id: ID, owner: OWNER, order: {}, conversationId: TALK }
      await storage.runs.start(started, lease, { entries }, 1)
    }
    /** Another process takes the run over, and goes on or ends it. */
    const takeOver = async (isResumed: boolean) => {
      const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
      const open = (resume: Interruption, signal: AbortSignal) =>
        run(host, optionsOf({ resume, signal, results: results() }))
      await log.recover(
        () => true,
        async ({ interruption }) =>
          isResumed ? { open: (_, { signal }) => open(interruption, signal) } : undefined,
      )
      for await (const _ of log.read(OWNER, ID));
      await log.close()
      return storage.runs.events(OWNER, ID)
    }
    const shown = async () =>
      historyOfNodes(await loadShownNodes({ storage, owner: OWNER, conversationId: TALK }))
    const markers = async () => {
      const entries = await storage.conversations.entries(OWNER, TALK)
      return entries.filter(
        (entry): entry is typeof entry & CompactionMarker => entry.kind === 'compaction',
      )
    }

    it('AW-43 show the next request what the last one of the run was shown', async () => {
      await begin()
      const events = await takeOver(true)
      const last = requests().at(-1) ?? []
      const history = await shown()
      expect(history.slice(0, -1)).to.deep.equal(last.slice(1).map(withoutId))
      expect(textOf(history.at(-1)!)).to.equal('That is all.')
      const all = await markers()
      expect(all).to.have.length(events.filter(isDone).length)
      for (const { archive } of all) {
        expect(await storage.files.has(OWNER, archive, TALK)).to.equal(true)
      }
      const stored = (await storage.runs.load(OWNER, ID)) ?? expect.fail('no run')
      expect(factFaults(stored, events)).to.deep.equal([])
    })

    it('CT-23 show the same after a crash behind any event', async () => {
      await begin()
      const events = await takeOver(true)
      const whole = { history: await shown(), last: requests().at(-1), first: storage }
      expect(events.filter(isDone).length).to.be.above(1)
      for (const count of sampled(lengthsOf(events), 6)) {
        storage = memoryStorage()
        sent = []
        await begin()
        await copyArchives(whole.first, storage, events.slice(0, count))
        await storage.runs.append('dead', [{ runId: ID, events: events.slice(0, count) }])
        await takeOver(true)
        const where = `after ${count} events, the last ${events[count - 1]?.type}`
        expect(await shown(), where).to.deep.equal(whole.history)
        if (requests().length > 0) {
          expect(requests().at(-1)?.map(withoutId), where).to.deep.equal(whole.last?.map(withoutId))
        }
      }
    })

    it('CT-23 keep their markers where a run ends as interrupted', async () => {
      await begin()
      const events = await takeOver(true)
      const first = storage
      for (const count of sampled(lengthsOf(events), 3, 1)) {
        storage = memoryStorage()
        await begin()
        const begun = events.slice(0, count)
        await copyArchives(first, storage, begun)
        await storage.runs.append('dead', [{ runId: ID, events: begun }])
        await takeOver(false)
        const history = await shown()
        expect(await markers()).to.have.length(begun.filter(isDone).length)
        expect(openCalls(history)).to.deep.equal([])
        expect(history.filter((message) => textOf(message) === QUESTION)).to.have.length(1)
        expect(JSON.stringify(history).length).to.be.below(60_000)
      }
    })
  })
})

/** Copies the files that these events name. They were stored before. */
async function copyArchives(
  from: Storage,
  to: Storage,
  events: readonly RunEvent[],
): Promise<void> {
  for (const event of events) {
    const archive = event.type === 'compaction-end' ? event.done?.within?.archive : undefined
    const file = archive && (await from.files.load(OWNER, archive, TALK))
    if (file) await to.files.put(OWNER, file, TALK)
  }
}

/** How many events may be stored when the process ends. */
function lengthsOf(events: readonly RunEvent[]): readonly number[] {
  return [...events.keys()].slice(1)
}

/** The step in which an event is. */
function stepAt(events: readonly RunEvent[], at: number): number {
  const begun = events.slice(0, at).findLast((event) => event.type === 'step-start')
  return begun?.step ?? expect.fail('no step has begun')
}

function isDone(event: RunEvent): boolean {
  return event.type === 'compaction-end' && event.done !== undefined
}

/** The highest number that `look` was asked for, in messages or in what is told of them. */
function lastLook(messages: readonly Message[]): number {
  const numbers = JSON.stringify(messages).matchAll(/\\?"at\\?":(\d+)|in short \[(\d+)\]/g)
  return Math.max(0, ...[...numbers].map(([, at, told]) => Number(at ?? told)))
}

function withoutId({ id: _, ...message }: Message): object {
  return message
}
