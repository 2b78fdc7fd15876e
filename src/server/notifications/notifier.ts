import type { Environment, Storage, StoredRun } from '@braidwork/agent'
import { allowListeners } from '@braidwork/core/internal'
import type { Log, RunEvent } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { NotificationSettings } from '../options/index.ts'
import { factsOf } from '../run-order.ts'
import { type A2aTask, type NotificationConfig, TaskView } from '../wire/a2a/index.ts'
import { deliver } from './delivery.ts'
import { Latest } from './latest.ts'
import { LeftNotices } from './left-notices.ts'
import { StoredConfigs } from './stored-configs.ts'

/** How long a server that closes waits for its last notifications, in milliseconds. */
const CLOSING_LIMIT = 8000

export interface NotifierParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
}

/** How a task is watched. */
export interface Watching {
  readonly settings: NotificationSettings
  /** Reads all events of the run, to the end of its leg. */
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly RunEvent[]>
  /** Makes an event as clients may see it. */
  readonly mark: (event: RunEvent) => RunEvent
  /** Whether the process that watched the run has died, so that its last state may not have been posted. */
  readonly isLeft?: boolean
}

/** Posts the states of tasks to the receivers that clients have named. A receiver that is slow misses states, but no last one. */
export class Notifier {
  readonly configs: StoredConfigs
  readonly left: LeftNotices
  readonly #parts: NotifierParts
  readonly #closing = new AbortController()
  /** The tasks that are watched, by run id. */
  readonly #watched = new Map<string, Latest>()
  readonly #work = new Set<Promise<void>>()

  constructor(parts: NotifierParts) {
    this.#parts = parts
    // Any number of tasks is watched at once.
    allowListeners(this.#closing.signal)
    this.configs = new StoredConfigs(parts.storage)
    this.left = new LeftNotices(parts.storage, parts.environment)
  }

  /** The run of a conversation that waits for a person. Undefined if there is none. @throws {HostError} STORAGE_FAILED */
  async waitingIn(owner: string, conversationId?: string): Promise<StoredRun | undefined> {
    if (conversationId === undefined) return undefined
    const run = await this.#parts.storage.runs.open(owner, conversationId)
    return run?.status === 'suspended' ? run : undefined
  }

  /** Watches a leg of a run from now on. */
  watch(run: StoredRun, watching: Watching): void {
    if (this.#watched.has(run.id) || this.#closing.signal.aborted) return
    const send = (task: A2aTask) => this.#post(run, task, watching.settings)
    const latest = new Latest(send)
    this.#watched.set(run.id, latest)
    this.#marked(run, async () => {
      await this.#follow(run, latest, watching).finally(() => this.#watched.delete(run.id))
      await latest.settled()
    })
  }

  /** Does work for a run, which has a mark until all is posted. What a server that closes gives up is posted later. */
  #marked(run: StoredRun, act: () => Promise<void>): void {
    const work = this.#whileMarked(run, act)
      .catch((error: unknown) => this.#tell(run, error))
      .finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  async #whileMarked(run: StoredRun, act: () => Promise<void>): Promise<void> {
    for (const done of await Promise.allSettled([this.left.add(run), act()])) {
      if (done.status === 'rejected') this.#tell(run, done.reason)
    }
    if (!this.#closing.signal.aborted) await this.left.remove(run)
  }

  /**
   * Posts a state of a task that its receivers may have missed, because they were named after it.
   * @param task the task as it is at present
   */
  tell(run: StoredRun, task: A2aTask, settings: NotificationSettings): void {
    const watched = this.#watched.get(run.id)
    if (watched) {
      watched.again()
      return
    }
    this.#marked(run, () => this.#post(run, task, settings))
  }

  /** Waits a while for the notifications of runs that have ended, and gives up the others. */
  async close(): Promise<void> {
    const limit = new AbortController()
    const { signal } = limit
    const settled = Promise.all(this.#work).then(() => limit.abort())
    // The sleep rejects if all are settled before.
    await this.#parts.environment.sleep(CLOSING_LIMIT, signal).catch(() => undefined)
    this.#closing.abort(new Error('The server is stopping.'))
    await settled
  }

  /** Follows a run. What was stored before the watch began was told by an earlier one. */
  async #follow(
    run: StoredRun,
    latest: Latest,
    { read, mark, isLeft = false }: Watching,
  ): Promise<void> {
    // The run enters its log after its work was opened, where the watch begins.
    await Promise.resolve()
    const view = new TaskView(factsOf(run))
    for await (const page of read(this.#closing.signal)) {
      for (const event of page) {
        const updates = view.add(mark(event))
        const isNew = event.seq < 0 || event.seq >= run.nextSeq
        if (isNew && updates.some((update) => 'statusUpdate' in update)) latest.give(view.task)
      }
    }
    const isAbandoned = run.status === 'aborted' && view.abandon()
    if (isAbandoned || isLeft) latest.give(view.task)
  }

  async #post(run: StoredRun, task: A2aTask, settings: NotificationSettings): Promise<void> {
    try {
      const configs = await this.configs.list(run)
      await Promise.all(configs.map((config) => this.#deliver(run, { config, task, settings })))
    } catch (error) {
      this.#tell(run, error)
    }
  }

  async #deliver(
    run: StoredRun,
    {
      config,
      task,
      settings,
    }: {
      readonly config: NotificationConfig
      readonly task: A2aTask
      readonly settings: NotificationSettings
    },
  ): Promise<void> {
    const { environment } = this.#parts
    const { signal } = this.#closing
    try {
      await deliver(config, task, { environment, settings, signal })
    } catch (error) {
      this.#tell(run, error)
    }
  }

  #tell({ id: runId }: StoredRun, error: unknown): void {
    const message = `A push notification of a task was not delivered: ${messageOf(error)}`
    this.#parts.log({ level: 'warn', message, runId })
  }
}
