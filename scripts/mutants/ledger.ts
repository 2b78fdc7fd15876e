import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file of facts, one a line. A fact is in it as soon as it is known, so an interrupted run can go on. */
export interface Ledger<Fact> {
  readonly facts: readonly Fact[]
  add(fact: Fact): void
}

/** Opens a ledger, and makes it if there is none. */
export function openLedger<Fact>(path: string): Ledger<Fact> {
  mkdirSync(dirname(path), { recursive: true })
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const facts = lines.flatMap((line) => factOf<Fact>(line))
  return {
    facts,
    add(fact) {
      facts.push(fact)
      appendFileSync(path, `${JSON.stringify(fact)}\n`)
    },
  }
}

/** A run that was killed may leave an incomplete line. */
function factOf<Fact>(line: string): Fact[] {
  try {
    return [JSON.parse(line) as Fact]
  } catch {
    return []
  }
}
