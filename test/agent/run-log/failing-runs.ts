import { setImmediate } from 'node:timers/promises'
import {
  type Environment,
  type RunOptions,
  run,
  systemEnvironment,
} from '../../../src/agent/index.ts'
import {
  type LeftRun,
  type RunLeg,
  RunLog,
  type RunWork,
  reachedBy,
  resumptionOf,
} from '../../../src/agent/run-log/index.ts'
import type { Storage, StoredRun } from '../../../src/agent/storage/index.ts'
import { type ConfigLayer, createHost, type Host } from '../../../src/core/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import type { Message, RunEvent } from '../../../src/plugin/events/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { feature, schema, tool } from '../../helpers/plugins.ts'

const OWNER = 'ada'
const DEAD = 'dead'

/** Three steps: two calls, a call that a person has to approve, and an answer. */
function configOf(talk: string): ConfigLayer {
  const script = [
    {
      when: { step: 1 },
      then: {
        text: 'First.',
        tool_calls: ['look', 'write'].map((name) => ({ name, input: { talk } })),
      },
    },
    { when: { step: 2 }, then: { tool_calls: [{ name: 'send', input: { talk } }] } },
    { then: { text: 'Done.' } },
  ]
  return { ...ASKING, settings: { scripted: { script } } }
}
const ASKING: ConfigLayer = { tool_policy: { send: 'ask' } }
export const STEPS = 3

/** Time that passes at once. */
function quickEnvironment(): Environment {
  let now = 1
  const sleep = async (milliseconds: number) => {
    now += milliseconds
    await setImmediate()
  }
  return { ...systemEnvironment, now: () => now, elapsed: () => now, sleep }
}

/** What clients were told. */
interface Told {
  /** The runs that were said to have started. */
  readonly started: string[]
  /** The approvals that were said to be answered. */
  readonly answered: string[]
  readonly events: Map<string, RunEvent[]>
  /** The codes of the errors. */
  readonly errors: string[]
}

export interface FailingRunsOptions {
  /** The default is the scripted provider with the script above. */
  readonly provider?: AnyPlugin
  /** The conversations, each with a run; two by default, so that events of several runs are stored in groups. */
  readonly talks?: readonly string[]
  /** More options of each run. */
  readonly more?: Partial<RunOptions>
  /** Told when a run waits until the events that it has written are stored. */
  readonly onWait?: (runId: string) => void
}

/** Runs of conversations over one run log. */
export class FailingRuns {
  readonly #host: Host
  readonly #options: FailingRunsOptions
  readonly #talks: readonly string[]
  #log: RunLog | undefined
  readonly #environment = quickEnvironment()
  /** The calls whose tool ran, but for those that only read. */
  readonly ran: string[]
  readonly told: Told = { started: [], answered: [], events: new Map(), errors: [] }

  private constructor(host: Host, ran: string[], options: FailingRunsOptions) {
    this.#host = host
    this.ran = ran
    this.#options = options
    this.#talks = options.talks ?? ['one', 'two']
  }

  static async create(options: FailingRunsOptions = {}): Promise<FailingRuns> {
    const ran: string[] = []
    const executeTool = async ({ name, input }: { name: string; input: { talk: string } }) => {
      if (name !== 'look') ran.push(`${name} of ${input.talk}`)
      await setImmediate()
      return name
    }
    const files = tool('files', {
      getToolSchemas: () => [
        schema('look', { safety: { is_read_only: true, is_concurrency_safe: true } }),
        schema('write'),
        schema('send'),
      ],
      executeTool,
    })
    const counting = feature('counting', {
      stateKeys: { ended: { merge: 'sum', initial: 0 } },
      stepEnd: () => ({ state: { ended: 1 } }),
    })
    const plugins = [files, counting]
    const { provider } = options
    const host = provider
      ? await createHost({ plugins: [provider, ...plugins] })
      : await scriptedHost(plugins)
    return new FailingRuns(host, ran, options)
  }

  close(): Promise<void> {
    return this.#host.close()
  }

  async prepare(storage: Storage): Promise<void> {
    for (const id of this.#talks) {
      await storage.conversations.create({ id, owner: OWNER, agent: 'a', sender: OWNER }, 1)
    }
  }

  /** Does all that clients ask for, until it is done or fails. Then the process ends. */
  async begin(storage: Storage): Promise<void> {
    const log = this.#logOver(storage, DEAD)
    this.#log = log
    await Promise.all(
      this.#talks.map((talk) => this.#noting(() => this.#client(log, storage, talk))),
    )
    await log.close()
  }

  /** Stops the run of a conversation, as its client may. */
  async stop(talk: string): Promise<void> {
    await this.#log?.stop(OWNER, `run-${talk}`, 'enough')
  }

  /** Another process takes the runs, ends them or goes on with them, and clients answer what they are still asked. */
  async recover(storage: Storage, goesOn: boolean): Promise<void> {
    const log = this.#logOver(storage, 'next')
    const goOn = goesOn ? (left: LeftRun) => this.#goOn(storage, left) : undefined
    await log.recover((holder) => holder === DEAD, goOn)
    await Promise.all(
      this.#talks.map(async (talk) => {
        const open = await storage.runs.open(OWNER, talk)
        if (!open) return
        for await (const _ of log.read(OWNER, open.id, { after: open.legSeq - 1 }));
        await this.#approve(log, storage, open.id)
      }),
    )
    await log.close()
  }

  /** The runs as they are stored. */
  async runs(storage: Storage): Promise<readonly StoredRun[]> {
    const lists = this.#talks.map((talk) => storage.runs.list(OWNER, talk))
    return (await Promise.all(lists)).flat()
  }

  #logOver(storage: Storage, holder: string): RunLog {
    return new RunLog({ storage, holder, environment: this.#environment, log: () => undefined })
  }

  async #client(log: RunLog, storage: Storage, talk: string): Promise<void> {
    const message: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] }
    const { run: stored } = await log.start({
      run: { id: `run-${talk}`, owner: OWNER, order: {}, conversationId: talk },
      append: { entries: [{ kind: 'message', id: `${talk}-q`, message }] },
      ...this.#work([message]),
    })
    this.told.started.push(stored.id)
    await this.#read(log, stored.id, -1)
    await this.#approve(log, storage, stored.id)
  }

  /** Approves what a run asked for, until it asks no more. */
  async #approve(log: RunLog, storage: Storage, runId: string): Promise<void> {
    const stored = await storage.runs.load(OWNER, runId)
    if (stored?.status !== 'suspended') return
    for (const { id, answer } of await storage.approvals.list(OWNER, runId)) {
      if (answer) continue
      const given = { approved: true, answeredAt: this.#environment.now() }
      if (await storage.approvals.answer(OWNER, id, given)) this.told.answered.push(id)
    }
    const [answered] = (await storage.runs.answered(this.#environment.now())).filter(
      ({ id }) => id === runId,
    )
    if (!answered) throw new HostError('APPROVAL_UNKNOWN', `Run ${runId} is answered and waits.`)
    const approvals = await storage.approvals.list(OWNER, runId)
    const resume = resumptionOf(answered, approvals, await reachedBy(answered, storage))
    await log.resume(OWNER, runId, this.#work(await historyOf(storage, answered), resume))
    await this.#read(log, runId, answered.nextSeq - 1)
    await this.#approve(log, storage, runId)
  }

  async #goOn(storage: Storage, left: LeftRun): Promise<RunWork> {
    return this.#work(await historyOf(storage, left.run), left.interruption)
  }

  #work(messages: readonly Message[], resume?: RunOptions['resume']) {
    return {
      open: (stored: StoredRun, { signal, committed, late }: RunLeg) =>
        run(this.#host, {
          config: this.#options.provider ? ASKING : configOf(stored.conversationId ?? ''),
          messages,
          runId: stored.id,
          signal,
          committed: () => {
            this.#options.onWait?.(stored.id)
            return committed()
          },
          late,
          environment: this.#environment,
          ...(resume ? { resume } : {}),
          ...this.#options.more,
        }),
    }
  }

  async #read(log: RunLog, runId: string, after: number): Promise<void> {
    const events = this.told.events.get(runId) ?? []
    this.told.events.set(runId, events)
    for await (const page of log.read(OWNER, runId, { after })) events.push(...page)
  }

  async #noting(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.told.errors.push(HostError.is(error) ? error.code : String(error))
    }
  }
}

async function historyOf(storage: Storage, { conversationId = '' }: StoredRun) {
  const path = await storage.conversations.history(OWNER, conversationId)
  return path.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
}
