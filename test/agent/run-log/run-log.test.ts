import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { type Environment, run, systemEnvironment } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import {
  type RunBeginning,
  type RunLeg,
  RunLog,
  type RunLogOptions,
} from '../../../src/agent/run-log/index.ts'
import type { Storage, StoredRun } from '../../../src/agent/storage/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { EventChecker, type RunEvent } from '../../../src/plugin/events/index.ts'
import { HandClock } from '../../helpers/clock.ts'
import { scriptedHost, textEvents } from '../../helpers/hosts.ts'
import { eventProvider, schema, tool } from '../../helpers/plugins.ts'

const OWNER = 'ada'

function says(text: string, more: object = {}): ConfigLayer {
  return { settings: { scripted: { script: [{ then: { text, ...more } }] } } }
}

/** A provider whose answer goes on when it is told to. */
function gatedProvider() {
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const [first, ...rest] = textEvents('one ', 'two ', 'three')
  const provider = eventProvider([], {
    async *stream() {
      yield first
      yield rest[0]
      await gate
      yield* rest.slice(1)
    },
  })
  return { provider, open: () => open() }
}

/** Time that goes on as fast as everybody who waits allows. */
function quickClock(): {
  readonly environment: Environment
  /** When so many milliseconds have gone by. */
  readonly passed: (milliseconds: number) => Promise<void>
} {
  let now = 0
  const sleep = async (milliseconds: number) => {
    now += milliseconds
    await setImmediate()
  }
  const passed = async (milliseconds: number) => {
    while (now < milliseconds) await setImmediate()
  }
  return {
    environment: { ...systemEnvironment, now: () => now, elapsed: () => now, sleep },
    passed,
  }
}

describe('the run log', () => {
  let storage: Storage
  let host: Host
  let logs: RunLog[]
  let failures: string[]

  beforeEach(async () => {
    storage = memoryStorage()
    host = await scriptedHost()
    logs = []
    failures = []
  })
  afterEach(async () => {
    await Promise.all(logs.map((log) => log.close()))
    await host.close()
  })

  function logOf(more: Partial<RunLogOptions> = {}): RunLog {
    const log = new RunLog({
      storage,
      environment: systemEnvironment,
      log: ({ message }) => failures.push(message),
      ...more,
    })
    logs.push(log)
    return log
  }

  let count = 0
  function beginning(config: ConfigLayer, more: Partial<RunBeginning['run']> = {}, on = host) {
    const id = `run-${++count}`
    return {
      run: { id, owner: OWNER, order: {}, ...more },
      open: (stored: StoredRun, { signal }: RunLeg) =>
        run(on, { config, messages: 'go', signal, runId: stored.id }),
    } satisfies RunBeginning
  }

  async function conversation(id = 'talk') {
    await storage.conversations.create({ id, owner: OWNER, agent: 'a', sender: OWNER }, 1)
    return id
  }

  async function eventsOf(log: RunLog, id: string, after?: number): Promise<RunEvent[]> {
    const events: RunEvent[] = []
    const options = after === undefined ? {} : { after }
    for await (const page of log.read(OWNER, id, options)) events.push(...page)
    return events
  }

  async function codeOf(answer: Promise<unknown>): Promise<string> {
    const thrown = await answer.then(
      () => expect.fail('it was not refused'),
      (error: unknown) => error,
    )
    return HostError.is(thrown) ? thrown.code : String(thrown)
  }

  it('stores an event before anybody is shown it', async () => {
    const log = logOf()
    const start = beginning(says('a text of some words'))
    await log.start(start)
    let seen = 0
    for await (const page of log.read(OWNER, start.run.id)) {
      const stored = await storage.runs.events(OWNER, start.run.id)
      seen = (page.at(-1)?.seq ?? 0) + 1
      expect(stored.length).to.be.at.least(seen)
    }
    expect(seen).to.be.greaterThan(5)
  })

  it('LR-14 stores each event with its time, which readers are shown', async () => {
    const { environment } = new HandClock()
    const log = logOf({ environment })
    const start = beginning(says('a text'))
    const open = (stored: StoredRun, { signal }: RunLeg) =>
      run(host, { config: says('a text'), messages: 'go', signal, runId: stored.id, environment })
    await log.start({ ...start, open })
    const shown = await eventsOf(log, start.run.id)
    expect(new Set(shown.map(({ at }) => at))).to.deep.equal(new Set([environment.now()]))
    expect(await storage.runs.events(OWNER, start.run.id)).to.deep.equal(shown)
  })

  it('gives every reader the same, whenever it comes and from wherever', async () => {
    const log = logOf()
    const start = beginning(says('a text of some words', { delay_ms: 1 }))
    await log.start(start)
    const { id } = start.run
    const [first, second] = await Promise.all([eventsOf(log, id), eventsOf(log, id)])
    const late = await eventsOf(log, id)
    const rest = await eventsOf(log, id, 4)
    const checker = new EventChecker('run')
    for (const event of first) checker.check(event)
    expect(second).to.deep.equal(first)
    expect(late).to.deep.equal(first)
    expect(rest).to.deep.equal(first.slice(5))
    expect(await eventsOf(log, id, 10_000)).to.deep.equal([])
  })

  it('shows to nobody but its owner that a run is there', async () => {
    const log = logOf()
    const start = beginning(says('x'))
    await log.start(start)
    const reading = log.read('bob', start.run.id).next()
    expect(await codeOf(reading)).to.equal('RUN_UNKNOWN')
    expect(await log.stop('bob', start.run.id, 'no')).to.equal(false)
  })

  it('lets a reader that stalls slow nobody, and gives it everything in the end', async () => {
    const long = eventProvider(textEvents(...Array.from({ length: 40 }, () => 'x'.repeat(50_000))))
    const own = await createHost({ plugins: [long] })
    const log = logOf()
    const start = beginning({ provider: long.name }, {}, own)
    await log.start(start)
    const slow = log.read(OWNER, start.run.id)
    const read = [...((await slow.next()).value ?? [])]
    const all = await eventsOf(log, start.run.id)
    expect(all.at(-1)?.type).to.equal('finish')
    // The run is over by now, and its first events are in the storage only.
    for await (const events of slow) read.push(...events)
    expect(read).to.deep.equal(all)
    await own.close()
  })

  it('has one active run a conversation, and tells the second which', async () => {
    const { provider, open } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const log = logOf()
    const conversationId = await conversation()
    const first = beginning({ provider: provider.name }, { conversationId }, own)
    await log.start(first)
    const second = await log.start(beginning(says('x'), { conversationId }))
    expect(second.outcome).to.equal('busy')
    expect(second.run.id).to.equal(first.run.id)
    open()
    await eventsOf(log, first.run.id)
    const third = await log.start(beginning(says('x'), { conversationId }))
    expect(third.outcome).to.equal('started')
    await eventsOf(log, third.run.id)
    await own.close()
  })

  it('begins a run once for a key', async () => {
    const log = logOf()
    const first = await log.start(beginning(says('x'), { idempotencyKey: 'k' }))
    const second = await log.start(beginning(says('x'), { idempotencyKey: 'k' }))
    expect(second).to.deep.include({ outcome: 'repeated' })
    expect(second.run.id).to.equal(first.run.id)
    const other = await log.start(beginning(says('x'), { idempotencyKey: 'k', owner: 'bob' }))
    expect(other.outcome).to.equal('started')
  })

  it('knows the run of a key for as long as it works on it', async () => {
    const { provider, open } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const log = logOf()
    const { run: begun } = await log.start({
      run: { id: 'r', owner: OWNER, order: {}, idempotencyKey: 'k' },
      open: (stored, { signal }) =>
        run(own, { config: { provider: 'p' }, messages: 'go', signal, runId: stored.id }),
    })
    expect(log.begunWith(OWNER, 'k')?.id).to.equal(begun.id)
    expect(log.begunWith('bob', 'k')).to.equal(undefined)
    open()
    await eventsOf(log, begun.id)
    while (log.activeRuns > 0) await setImmediate()
    await setImmediate()
    expect(log.begunWith(OWNER, 'k')).to.equal(undefined)
    await own.close()
  })

  it("leaves a run's messages in its conversation, at the moment of its end", async () => {
    const log = logOf()
    const conversationId = await conversation()
    const start = beginning(says('Hello.'), { conversationId })
    const asked = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    await log.start({
      ...start,
      append: { entries: [{ kind: 'message', id: 'q', message: asked }] },
    })
    await eventsOf(log, start.run.id)
    const history = await storage.conversations.history(OWNER, conversationId)
    expect(history.map((entry) => entry.kind === 'message' && entry.message.role)).to.deep.equal([
      'user',
      'assistant',
    ])
    expect(history[1]).to.include({ parent: 'q', runId: start.run.id })
    expect((await storage.runs.load(OWNER, start.run.id))?.status).to.equal('done')
  })

  it('stops a run at once, with what had arrived', async () => {
    const { provider } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const log = logOf()
    const conversationId = await conversation()
    const start = beginning({ provider: provider.name }, { conversationId }, own)
    await log.start(start)
    const reading = log.read(OWNER, start.run.id)
    const seen: RunEvent[] = []
    for await (const page of reading) {
      seen.push(...page)
      if (page.some(({ type }) => type === 'text-delta')) {
        expect(await log.stop(OWNER, start.run.id, 'enough')).to.equal(true)
      }
    }
    expect(seen.at(-1)).to.deep.include({ type: 'abort', reason: 'enough' })
    const [entry] = await storage.conversations.history(OWNER, conversationId)
    expect(entry).to.have.nested.property('message.parts[0].text', 'one ')
    expect(await log.stop(OWNER, start.run.id, 'again')).to.equal(false)
    await own.close()
  })

  it('stops a run that nobody reads any more, where it was begun so', async () => {
    const { provider } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const log = logOf()
    const start = { ...beginning({ provider: provider.name }, {}, own), abandonAfter: 0 }
    await log.start(start)
    for await (const page of log.read(OWNER, start.run.id)) {
      if (page.some(({ type }) => type === 'text-delta')) break
    }
    const last = (await eventsOf(log, start.run.id)).at(-1)
    expect(last).to.deep.include({ type: 'abort', reason: 'the run has no reader any more' })
    await own.close()
  })

  it('waits for the next reader as long as it was told to', async () => {
    const { provider, open } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const sleeps: number[] = []
    const environment: Environment = {
      ...systemEnvironment,
      sleep: (milliseconds, signal) => {
        sleeps.push(milliseconds)
        return systemEnvironment.sleep(milliseconds, signal)
      },
    }
    const log = logOf({ environment })
    const start = { ...beginning({ provider: provider.name }, {}, own), abandonAfter: 30_000 }
    await log.start(start)
    for await (const _ of log.read(OWNER, start.run.id)) break
    expect(sleeps).to.include(30_000)
    const reading = eventsOf(log, start.run.id)
    open()
    expect((await reading).at(-1)?.type).to.equal('finish')
    await own.close()
  })

  describe('after the process that ran it has gone', () => {
    /** A log that does nothing more, as if its process had been killed, with what it had stored. */
    async function killed(config: ConfigLayer, on: Host, isEnough: (event: RunEvent) => boolean) {
      const conversationId = await conversation()
      const log = new RunLog({
        storage,
        environment: systemEnvironment,
        log: () => undefined,
        lease: { heartbeat: 10, expiry: 0 },
        holder: 'dead',
      })
      const start = beginning(config, { conversationId }, on)
      await log.start(start)
      for await (const page of log.read(OWNER, start.run.id)) if (page.some(isEnough)) break
      return { id: start.run.id, conversationId }
    }
    const isDead = (holder: string) => holder === 'dead'

    it('says that it was interrupted, and keeps what was stored', async () => {
      const { provider } = gatedProvider()
      const own = await createHost({ plugins: [provider] })
      const { id, conversationId } = await killed(
        { provider: provider.name },
        own,
        ({ type }) => type === 'text-delta',
      )
      const log = logOf()
      expect(await log.recover(isDead)).to.equal(1)
      expect(await log.recover(isDead)).to.equal(0)
      const events = await eventsOf(log, id)
      expect(events.at(-1)).to.have.nested.property('error.code', 'RUN_INTERRUPTED')
      expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index))
      const [entry] = await storage.conversations.history(OWNER, conversationId)
      expect(entry).to.have.nested.property('message.parts[0].text', 'one ')
      expect((await storage.runs.load(OWNER, id))?.status).to.equal('interrupted')
      await own.close()
    })

    it('LR-14 ends at the time at which it is ended, but never before its last event', async () => {
      for (const ahead of [60_000, -60_000]) {
        storage = memoryStorage()
        const { provider } = gatedProvider()
        const own = await createHost({ plugins: [provider] })
        const { id } = await killed(
          { provider: provider.name },
          own,
          ({ type }) => type === 'text-delta',
        )
        const now = Date.now() + ahead
        await logOf({ environment: { ...systemEnvironment, now: () => now } }).recover(isDead)
        const times = (await storage.runs.events(OWNER, id)).map(({ at = 0 }) => at)
        const [before = 0, last] = times.slice(-2)
        expect(last).to.equal(ahead > 0 ? now : before)
        await own.close()
      }
    })

    it('gives calls whose outcome is not known a result that says so', async () => {
      const hung = tool('hung', {
        getToolSchemas: () => [schema('hung')],
        executeTool: () => new Promise(() => undefined),
      })
      const own = await scriptedHost([hung])
      const script = { tool_calls: [{ name: 'hung', input: {} }] }
      const { conversationId } = await killed(
        says('I call it.', script),
        own,
        ({ type }) => type === 'tool-execution-start',
      )
      await logOf().recover(isDead)
      const history = await storage.conversations.history(OWNER, conversationId)
      expect(history.at(-1)).to.have.nested.property(
        'message.parts[0].output',
        'The run was interrupted while the call ran; whether the call took effect is not known.',
      )
      await own.close()
    })

    /** Kills a run in its first call of a tool, and returns the ends of its calls, and the parts told to the model. */
    async function leftCalls(safety: object, isEnough: (event: RunEvent) => boolean, calls = 1) {
      const hung = tool('hung', {
        getToolSchemas: () => [schema('hung', { safety })],
        executeTool: () => new Promise(() => undefined),
      })
      await using own = await scriptedHost([hung])
      const script = {
        tool_calls: Array.from({ length: calls }, () => ({ name: 'hung', input: {} })),
      }
      const { id, conversationId } = await killed(says('I call it.', script), own, isEnough)
      const log = logOf()
      await log.recover(isDead)
      const events = await eventsOf(log, id)
      const checker = new EventChecker('run')
      for (const event of events) checker.check(event)
      const ends = events.flatMap((event) => (event.type === 'tool-execution-end' ? [event] : []))
      const history = await storage.conversations.history(OWNER, conversationId)
      const entry = history.at(-1)
      const told = entry?.kind === 'message' ? entry.message.parts : []
      return { ends, end: ends[0], told }
    }
    const hasStarted = ({ type }: RunEvent) => type === 'tool-execution-start'

    it('LT-10 ends a call that began as an error with an unknown outcome, in events and history', async () => {
      const { end, told } = await leftCalls({}, hasStarted)
      expect(end?.error).to.include({ class: 'outcome_unknown', retryable: false })
      expect(end?.state).to.equal('failed')
      expect(told).to.deep.equal([end?.result])
    })

    it('LT-10 knows that a call of a tool that only reads had no effect', async () => {
      const { end } = await leftCalls({ is_read_only: true }, hasStarted)
      expect([end?.state, end?.error?.class]).to.deep.equal(['canceled', 'canceled'])
    })

    it('LT-10 tells of a call that had not begun that it did not run', async () => {
      const { ends, told } = await leftCalls({}, hasStarted, 2)
      expect(ends.map(({ error }) => error?.class)).to.deep.equal(['outcome_unknown', 'canceled'])
      expect(told.map((part) => part.type === 'tool-result' && part.output).at(1)).to.equal(
        'The run was interrupted before the call ran.',
      )
    })

    it('LT-10 tells of a call of an answer that was cut off that it did not run', async () => {
      const provider = eventProvider([], {
        async *stream() {
          yield { type: 'tool-call-start', id: 'c', name: 'hung' }
          yield { type: 'tool-call-end', id: 'c', input: {} }
          await new Promise(() => undefined)
        },
      })
      await using own = await createHost({ plugins: [provider] })
      const { conversationId } = await killed(
        { provider: provider.name },
        own,
        ({ type }) => type === 'tool-call-end',
      )
      await logOf().recover(isDead)
      const history = await storage.conversations.history(OWNER, conversationId)
      expect(history.map((entry) => entry.kind === 'message' && entry.message.role)).to.deep.equal([
        'assistant',
        'tool',
      ])
      expect(history.at(-1)).to.have.nested.property(
        'message.parts[0].output',
        'The run was interrupted before the call ran.',
      )
    })

    it('leaves runs alone whose process lives, and knows holders that are said to be gone', async () => {
      const { provider, open } = gatedProvider()
      const own = await createHost({ plugins: [provider] })
      const log = logOf({ holder: 'first' })
      const start = beginning({ provider: provider.name }, {}, own)
      await log.start(start)
      const other = logOf()
      expect(await other.recover()).to.equal(0)
      expect(await other.recover((holder) => holder === 'first')).to.equal(1)
      open()
      const last = (await eventsOf(log, start.run.id)).at(-1)
      expect(last).to.have.nested.property('error.code', 'RUN_INTERRUPTED')
      await own.close()
    })
  })

  it('LT-10 runs no call with effects while the storage does not commit, and each once it does', async () => {
    const ran: string[] = []
    const note = (name: string, safety: object) =>
      tool(name, {
        getToolSchemas: () => [schema(name, { safety })],
        executeTool: () => ran.push(name),
      })
    await using own = await scriptedHost([note('look', { is_read_only: true }), note('write', {})])
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let isStopped: () => void = () => undefined
    const stopped = new Promise<void>((resolve) => {
      isStopped = resolve
    })
    const runs = new Proxy(storage.runs, {
      get(target, key, receiver) {
        if (key !== 'append') return Reflect.get(target, key, receiver).bind(target)
        return async (...given: Parameters<typeof target.append>) => {
          const events = given[1].flatMap((batch) => batch.events)
          if (events.some((event) => 'name' in event && event.name === 'write')) {
            isStopped()
            await gate
          }
          return target.append(...given)
        }
      },
    })
    const log = logOf({ storage: { ...storage, runs } })
    const config = says('Two calls.', {
      tool_calls: ['look', 'write'].map((name) => ({ name, input: {} })),
    })
    const start = beginning({ ...config, limits: { max_rounds: 1 } }, {}, own)
    await log.start({
      ...start,
      open: (stored, { signal, committed }) =>
        run(own, { config, messages: 'go', signal, runId: stored.id, maxSteps: 1, committed }),
    })
    await stopped
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    expect(ran).not.to.include('write')
    open()
    await eventsOf(log, start.run.id)
    expect(ran).to.deep.equal(['look', 'write'])
  })

  it('reads and stops a run that another process is at work on', async () => {
    const { provider } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const log = logOf()
    const other = logOf()
    const start = beginning({ provider: provider.name }, {}, own)
    await log.start(start)
    const seen: RunEvent[] = []
    for await (const page of other.read(OWNER, start.run.id)) {
      seen.push(...page)
      if (page.some(({ type }) => type === 'text-delta')) {
        expect(await other.stop(OWNER, start.run.id, 'from afar')).to.equal(true)
      }
    }
    expect(seen.at(-1)).to.deep.include({ type: 'abort', reason: 'from afar' })
    expect(await eventsOf(log, start.run.id)).to.deep.equal(seen)
    await own.close()
  })

  it('suspends a run that waits for an approval, and goes on with it when it is answered', async () => {
    const ran: string[] = []
    const remove = tool('remove', {
      getToolSchemas: () => [schema('remove')],
      executeTool: () => {
        ran.push('remove')
        return 'removed'
      },
    })
    const own = await scriptedHost([remove])
    const config: ConfigLayer = {
      tool_policy: { remove: 'ask' },
      settings: {
        scripted: {
          script: [
            { when: { step: 1 }, then: { tool_calls: [{ name: 'remove', input: {} }] } },
            { then: { text: 'Done.' } },
          ],
        },
      },
    }
    const log = logOf()
    const conversationId = await conversation()
    const start = beginning(config, { conversationId }, own)
    await log.start(start)
    const first = await eventsOf(log, start.run.id)
    const { id } = start.run
    expect((await storage.runs.load(OWNER, id))?.status).to.equal('suspended')
    const [approval] = await storage.approvals.list(OWNER, id)
    expect(approval).to.include({ tool: 'remove', runId: id, owner: OWNER })
    if (!approval) throw new Error('there is none')
    const history = await storage.conversations.history(OWNER, conversationId)
    const messages = history.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    const { id: approvalId, tool: name, ...rest } = approval
    const resume = {
      runId: id,
      seq: first.length,
      steps: 1,
      approvals: [{ ...rest, approvalId, name }],
      verdicts: [{ approvalId, approved: true }],
    }
    const asked = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const resumed = await log.resume(OWNER, id, {
      open: (_, { signal }) => run(own, { config, signal, messages: [asked, ...messages], resume }),
    })
    expect(resumed?.legSeq).to.equal(first.length)
    const second = await eventsOf(log, id, first.length - 1)
    expect(ran).to.deep.equal(['remove'])
    expect(second.at(-1)).to.include({ type: 'finish', finishReason: 'stop' })
    const after = await storage.conversations.history(OWNER, conversationId)
    expect(after.map((entry) => entry.kind === 'message' && entry.message.role)).to.deep.equal([
      'assistant',
      'tool',
      'assistant',
    ])
    expect(await log.resume(OWNER, id, { open: () => expect.fail('twice') })).to.equal(undefined)
    await own.close()
  })

  describe('where the storage fails', () => {
    const failing = (times: number, retryable: boolean): Storage => {
      let left = times
      const runs = new Proxy(storage.runs, {
        get(target, key, receiver) {
          if (key !== 'append') return Reflect.get(target, key, receiver).bind(target)
          return async (...given: Parameters<typeof target.append>) => {
            if (left-- > 0) throw new HostError('STORAGE_FAILED', 'the disk is full', { retryable })
            return target.append(...given)
          }
        },
      })
      return { ...storage, runs }
    }

    it('tries again what may pass, and loses nothing', async () => {
      const log = logOf({ storage: failing(3, true) })
      const start = beginning(says('a text of some words'))
      await log.start(start)
      const events = await eventsOf(log, start.run.id)
      expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index))
      expect(events.at(-1)?.type).to.equal('finish')
    })

    it('stops the run and tells its readers where it does not pass', async () => {
      const log = logOf({ storage: failing(Number.POSITIVE_INFINITY, false) })
      const start = beginning(says('a text of some words'))
      await log.start(start)
      expect(await codeOf(eventsOf(log, start.run.id))).to.equal('STORAGE_FAILED')
      expect(log.activeRuns).to.equal(0)
    })
  })

  it('says that its runs are at work for as long as they are', async () => {
    const { provider, open } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const { environment, passed } = quickClock()
    const log = logOf({ environment, lease: { heartbeat: 10, expiry: 30 } })
    const start = beginning({ provider: provider.name }, {}, own)
    await log.start(start)
    await passed(120_000)
    const other = logOf({ environment })
    expect(await other.recover()).to.equal(0)
    open()
    expect((await eventsOf(log, start.run.id)).at(-1)?.type).to.equal('finish')
    await own.close()
  })

  it('stops its runs when it is closed, stores their ends, and begins no more', async () => {
    const { provider } = gatedProvider()
    const own = await createHost({ plugins: [provider] })
    const log = logOf()
    const start = beginning({ provider: provider.name }, {}, own)
    await log.start(start)
    await log.close()
    expect((await storage.runs.load(OWNER, start.run.id))?.status).to.equal('aborted')
    expect(await codeOf(log.start(beginning(says('x'))))).to.equal('HOST_CLOSED')
    await own.close()
  })
})
