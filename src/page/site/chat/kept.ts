import { effect } from '@preact/signals'

/** The longest text that outlives a reload. Browsers keep 5 MB for a whole site, and write them while the page waits. */
const LONGEST = 500_000

/**
 * Small texts of one person that outlive a reload. Where the browser keeps nothing, for long texts, and as long as
 * nobody knows whose they are, they live as long as the page.
 */
export class Kept {
  readonly #area: Storage | undefined
  readonly #owner: () => string | undefined
  readonly #own = new Map<string, string>()
  /** Resolves as soon as it is known whose texts these are. */
  readonly owned: Promise<void>

  /** @param owner the id of the person, read from signals; undefined as long as it is not known */
  constructor(area: () => Storage, owner: () => string | undefined = () => '') {
    this.#area = storageOf(area)
    this.#owner = owner
    this.owned = new Promise((resolve) => {
      effect(() => {
        if (owner() === undefined) return
        for (const [key, text] of this.#own) this.#store(key, text)
        resolve()
      })
    })
  }

  get(key: string): string | undefined {
    return this.#own.get(key) ?? this.#stored(key)
  }

  /** Undefined and an empty text delete it. */
  set(key: string, text: string | undefined): void {
    if (text) this.#own.set(key, text)
    else this.#own.delete(key)
    this.#store(key, text)
  }

  /** Deletes all that is kept of the person, or of one of their conversations. */
  forget(id?: string): void {
    const isOf = (key: string) => id === undefined || `${key}.`.includes(`.${id}.`)
    for (const key of [...this.#own.keys()].filter(isOf)) this.#own.delete(key)
    const prefix = this.#prefix
    if (prefix === undefined) return
    try {
      const names = Object.keys(this.#area ?? {}).filter((name) => name.startsWith(prefix))
      const gone = names.filter((name) => isOf(name.slice(prefix.length)))
      for (const name of gone) this.#area?.removeItem(name)
    } catch {
      // A browser that does not say what it keeps has kept nothing.
    }
  }

  #store(key: string, text: string | undefined): void {
    const prefix = this.#prefix
    if (prefix === undefined) return
    try {
      // What was kept before would come back in its place.
      this.#area?.removeItem(prefix + key)
      if (text && text.length <= LONGEST) this.#area?.setItem(prefix + key, text)
    } catch {
      // The browser has no room for it. The page still has it.
    }
  }

  #stored(key: string): string | undefined {
    const prefix = this.#prefix
    if (prefix === undefined) return undefined
    try {
      return this.#area?.getItem(prefix + key) ?? undefined
    } catch {
      return undefined
    }
  }

  /** Begins the names of all that is kept of the person. No prefix begins with that of another person. */
  get #prefix(): string | undefined {
    const owner = this.#owner()
    if (!owner) return owner === '' ? 'braidwork.' : undefined
    return `braidwork.${encodeURIComponent(owner).replaceAll('.', '%2E')}.`
  }
}

/** A browser that keeps nothing throws when it is asked. */
function storageOf(area: () => Storage): Storage | undefined {
  try {
    return area()
  } catch {
    return undefined
  }
}
