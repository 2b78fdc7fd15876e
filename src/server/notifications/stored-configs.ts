import { conversationKey, type Storage, type StoredRun } from '@braidwork/agent'
import type { NotificationConfig } from '../wire/a2a/index.ts'

/** No plugin can have this name, so none reads the tokens of clients. */
const OWN = 'a2a:notifications'

/** The configs of tasks in the storage. They are deleted with the conversation of their task. */
export class StoredConfigs {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async list(run: StoredRun): Promise<readonly NotificationConfig[]> {
    const values = this.#valuesOf(run)
    const keys = await values.list(`${run.id}/`)
    const found = await Promise.all(keys.map((key) => values.get(key)))
    return found.flatMap((config) => (config === undefined ? [] : [config as NotificationConfig]))
  }

  async load(run: StoredRun, id: string): Promise<NotificationConfig | undefined> {
    return (await this.#valuesOf(run).get(`${run.id}/${id}`)) as NotificationConfig | undefined
  }

  /** Stores a config. It takes the place of one with the same id. */
  save(run: StoredRun, config: NotificationConfig): Promise<void> {
    return this.#valuesOf(run).set(`${run.id}/${config.id}`, { ...config })
  }

  delete(run: StoredRun, id: string): Promise<void> {
    return this.#valuesOf(run).delete(`${run.id}/${id}`)
  }

  #valuesOf({ owner, conversationId }: StoredRun) {
    const place = conversationId === undefined ? [] : [conversationKey(owner, conversationId)]
    return this.#storage.storageOf(OWN, ...place)
  }
}
