/** The longest tool name that all model APIs accept. */
export const LONGEST_NAME = 64
const FOREIGN = /[^A-Za-z0-9_-]/g

/** Makes names that model APIs accept, and that no other tool has. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  /** The last number that was appended, for each name in the form that model APIs accept. */
  readonly #numbers = new Map<string, number>()

  of(wanted: string): string {
    const clean = cleanName(wanted)
    let number = this.#numbers.get(clean) ?? 1
    let name = number === 1 ? clean : numbered(clean, number)
    while (this.#taken.has(name)) name = numbered(clean, ++number)
    this.#numbers.set(clean, number)
    this.#taken.add(name)
    return name
  }
}

/** A name in the characters, and of the length, that all model APIs accept. */
export function cleanName(wanted: string): string {
  return wanted.replaceAll(FOREIGN, '_').slice(0, LONGEST_NAME)
}

function numbered(name: string, number: number): string {
  const suffix = `_${number}`
  return name.slice(0, LONGEST_NAME - suffix.length) + suffix
}
