import type { SharedStorage, SharedValue, SharedWrite } from './shared-values.ts'

/** What the members of a team share while they work. AL-25 */
export interface SharedContext {
  /** All values, sorted by key. */
  list(): Promise<readonly SharedValue[]>
  load(key: string): Promise<SharedValue | undefined>
  /** @throws {HostError} as `SharedStorage.write` */
  write(write: SharedWrite): Promise<SharedValue>
}

/** The context of a team whose run is stored. */
export function storedContext(
  storage: SharedStorage,
  { owner, id }: { readonly owner: string; readonly id: string },
): SharedContext {
  return {
    list: () => storage.list(owner, id),
    load: (key) => storage.load(owner, id, key),
    write: (write) => storage.write(owner, id, write),
  }
}
