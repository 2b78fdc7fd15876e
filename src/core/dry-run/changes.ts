import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'

/**
 * A change at a JSON pointer. Without `before`, something is added there: in a list, it is inserted. Without `after`,
 * what is there is removed, and what follows in a list moves up.
 */
export interface Change {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Finds how one JSON value becomes another. The changes apply in order, each to what those before it left. */
export function changesBetween(before: unknown, after: unknown): readonly Change[] {
  return new Comparison().between(before, after)
}

class Comparison {
  /** Equal values have the same number, so that comparing two of them takes no time, however large they are. */
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<object, number>()
  readonly #changes: Change[] = []

  between(before: unknown, after: unknown): readonly Change[] {
    this.#compare('', before, after)
    return this.#changes
  }

  #compare(path: string, before: unknown, after: unknown): void {
    if (this.#isEqual(before, after)) return
    if (Array.isArray(before) && Array.isArray(after)) this.#compareLists(path, before, after)
    else if (isObject(before) && isObject(after) && isSameKind(before, after)) {
      this.#compareMembers(path, before, after)
    } else this.#changes.push({ path, before, after })
  }

  #compareMembers(path: string, before: JsonObject, after: JsonObject): void {
    for (const key of Object.keys(before)) {
      const at = path + pointerOf([key])
      if (Object.hasOwn(after, key)) this.#compare(at, before[key], after[key])
      else this.#changes.push({ path: at, before: before[key] })
    }
    for (const key of Object.keys(after)) {
      if (Object.hasOwn(before, key)) continue
      this.#changes.push({ path: path + pointerOf([key]), after: after[key] })
    }
  }

  /** Leaves out what two lists begin and end with, and compares the items between one by one. */
  #compareLists(path: string, before: readonly unknown[], after: readonly unknown[]): void {
    const least = Math.min(before.length, after.length)
    let start = 0
    while (start < least && this.#isEqual(before[start], after[start])) start++
    let end = 0
    while (end < least - start && this.#isEqual(before.at(-1 - end), after.at(-1 - end))) end++
    const shared = least - end
    for (let at = start; at < shared; at++) {
      this.#compare(`${path}/${at}`, before[at], after[at])
    }
    // From the end, so that no removal moves what a later one is about.
    for (let at = before.length - end - 1; at >= shared; at--) {
      this.#changes.push({ path: `${path}/${at}`, before: before[at] })
    }
    for (let at = shared; at < after.length - end; at++) {
      this.#changes.push({ path: `${path}/${at}`, after: after[at] })
    }
  }

  #isEqual(left: unknown, right: unknown): boolean {
    return left === right || this.#numberOf(left) === this.#numberOf(right)
  }

  #numberOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return this.#numberFor(JSON.stringify(value))
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const number = this.#numberFor(this.#textOf(value))
    this.#known.set(value, number)
    return number
  }

  /** A text that equal values share. The numbers of what they contain stand for it. */
  #textOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map((inner) => this.#numberOf(inner)).join()}]`
    const members = Object.entries(value).map(
      ([key, inner]) => `${JSON.stringify(key)}:${this.#numberOf(inner)}`,
    )
    return `{${members.sort().join()}}`
  }

  #numberFor(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.size - 1
  }
}

/** A message of another role, or a part of another type, is another one. Its members are not compared. */
function isSameKind(before: JsonObject, after: JsonObject): boolean {
  return before['role'] === after['role'] && before['type'] === after['type']
}
