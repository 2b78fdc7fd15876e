/** The longest text that outlives a reload. Browsers keep 5 MB for a whole site, and write them while the page waits. */
const LONGEST = 500_000

/** Small texts that outlive a reload. Where the browser keeps nothing, and for long texts, they live as long as the page. */
export class Kept {
  readonly #area: Storage | undefined
  readonly #own = new Map<string, string>()

  constructor(area: () => Storage) {
    this.#area = storageOf(area)
  }

  get(key: string): string | undefined {
    return this.#own.get(key) ?? this.#stored(key)
  }

  /** Undefined and an empty text delete it. */
  set(key: string, text: string | undefined): void {
    if (text) this.#own.set(key, text)
    else this.#own.delete(key)
    try {
      // What was kept before would come back in its place.
      this.#area?.removeItem(nameOf(key))
      if (text && text.length <= LONGEST) this.#area?.setItem(nameOf(key), text)
    } catch {
      // The browser has no room for it. The page still has it.
    }
  }

  #stored(key: string): string | undefined {
    try {
      return this.#area?.getItem(nameOf(key)) ?? undefined
    } catch {
      return undefined
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
