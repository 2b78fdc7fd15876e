import {
  assertFresh,
  assertRoom,
  assertSharable,
  byKey,
  type SharedValue,
  type SharedWrite,
  sharedSize,
} from './shared-values.ts'

interface Row {
  readonly shared: SharedValue
  readonly bytes: number
}

/** The values of a shared context in memory. */
export class ContextValues {
  readonly #rows = new Map<string, Row>()

  /** All values, sorted by key. */
  get all(): readonly SharedValue[] {
    return [...this.#rows.values()].map(({ shared }) => shared).sort(byKey)
  }

  get(key: string): SharedValue | undefined {
    return this.#rows.get(key)?.shared
  }

  /** Writes a value. @throws {HostError} as `SharedStorage.write` */
  write(write: SharedWrite): SharedValue {
    const { key, version } = write
    const json = JSON.stringify(write.value ?? null)
    assertSharable(write, json)
    assertFresh(write, this.get(key)?.version ?? 0)
    const others = [...this.#rows].filter(([other]) => other !== key)
    assertRoom(write, json, { bytes: others.reduce((sum, [, { bytes }]) => sum + bytes, 0) })
    // The caller may change its value.
    return this.put({ ...write, value: JSON.parse(json), version: version + 1 })
  }

  /** Puts a value there as it is. */
  put(shared: SharedValue): SharedValue {
    const { key, value } = shared
    this.#rows.set(key, { shared, bytes: sharedSize(key, JSON.stringify(value ?? null)) })
    return shared
  }

  /** The size of the value of a key. 0 if there is none. */
  bytesOf(key: string): number {
    return this.#rows.get(key)?.bytes ?? 0
  }
}
