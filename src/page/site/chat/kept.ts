/** Small texts that outlive a reload. Where the browser keeps nothing, they live as long as the page. */
export class Kept {
  readonly #area: Storage | undefined
  readonly #own = new Map<string, string>()

  constructor(area: () => Storage) {
    this.#area = storageOf(area)
  }

  get(key: string): string | undefined {
    return this.#own.get(key) ?? this.#area?.getItem(nameOf(key)) ?? undefined
  }

  /** Undefined and an empty text delete it. */
  set(key: string, text: string | undefined): void {
    if (text) this.#own.set(key, text)
    else this.#own.delete(key)
    try {
      if (text) this.#area?.setItem(nameOf(key), text)
      else this.#area?.removeItem(nameOf(key))
    } catch {
      // The browser has no room for it. The page still has it.
    }
  }
}

function nameOf(key: string): string {
  return `braidwork.${key}`
}

/** A browser that keeps nothing throws when it is asked. */
function storageOf(area: () => Storage): Storage | undefined {
  try {
    return area()
  } catch {
    return undefined
  }
}
