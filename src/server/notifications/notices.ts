import type { StoredRun } from '@braidwork/agent'
import type { RunEvent } from '@braidwork/plugin'
import type { NotificationSettings } from '../options/index.ts'
import { orderOf } from '../run-order.ts'
import type { A2aTask } from '../wire/a2a/index.ts'
import type { Notifier, Watching } from './notifier.ts'
import { assertReceiver } from './receiver.ts'
import type { StoredConfigs } from './stored-configs.ts'

/** How runs are read whose process has died. */
export interface LeftRuns {
  readonly read: (
    run: StoredRun,
    options: { readonly after: number; readonly signal: AbortSignal },
  ) => AsyncIterable<readonly RunEvent[]>
  readonly shownErrors: { readonly markIn: (event: RunEvent) => RunEvent }
}

/** Push notifications as the present options of a server have them. */
export class Notices {
  readonly #notifier: Notifier
  readonly #settings: NotificationSettings

  constructor(notifier: Notifier, settings: NotificationSettings) {
    this.#notifier = notifier
    this.#settings = settings
  }

  get configs(): StoredConfigs {
    return this.#notifier.configs
  }

  /** The task of a conversation that waits for a person: a new turn ends it. Undefined if there is none. */
  waitingIn(owner: string, conversationId: string | undefined): Promise<StoredRun | undefined> {
    return this.#notifier.waitingIn(owner, conversationId)
  }

  /** Posts the states of a run to its receivers, from this leg on, if it is a task. */
  watch(run: StoredRun, watching: Omit<Watching, 'settings'>): void {
    if (orderOf(run).protocol !== 'a2a') return
    this.#notifier.watch(run, { ...watching, settings: this.#settings })
  }

  /** Posts the last states of the runs whose process died before it had posted them. @throws {HostError} STORAGE_FAILED */
  async deliverLeft({ read, shownErrors }: LeftRuns): Promise<void> {
    for (const run of await this.#notifier.left.due()) {
      this.watch(run, {
        read: (signal) => read(run, { after: -1, signal }),
        mark: (event) => shownErrors.markIn(event),
        isLeft: true,
      })
    }
  }

  /** Posts a state of a task that its receivers may have missed. */
  tell(run: StoredRun, task: A2aTask): void {
    this.#notifier.tell(run, task, this.#settings)
  }

  /** @throws {HostError} REQUEST_INVALID if an address may not be posted to */
  assertReceiver(url: string, signal: AbortSignal): Promise<void> {
    return assertReceiver(url, this.#settings, signal)
  }
}
