import type { StoredRun } from '@braidwork/agent'
import { orderOf } from '../run-order.ts'
import type { NotificationSettings } from '../server-options.ts'
import type { A2aTask } from '../wire/a2a/index.ts'
import type { Notifier, Watching } from './notifier.ts'
import { assertReceiver } from './receiver.ts'
import type { StoredConfigs } from './stored-configs.ts'

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

  /** Posts the states of a run to its receivers, from this leg on, if it is a task. */
  watch(run: StoredRun, watching: Omit<Watching, 'settings'>): void {
    if (orderOf(run).protocol !== 'a2a') return
    this.#notifier.watch(run, { ...watching, settings: this.#settings })
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
