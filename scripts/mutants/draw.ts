import type { Mutant } from './mutant.ts'

/**
 * Draws mutants at random. All lines with mutants are equally likely, so a room gets mutants in proportion to its lines,
 * and a line is drawn once. The same seed draws the same mutants from the same sources.
 */
export function* draw(mutants: readonly Mutant[], seed: number): Generator<Mutant> {
  const random = randomNumbers(seed)
  const lines = [...mutantsByLine(mutants).values()]
  while (lines.length > 0) {
    const at = Math.floor(random() * lines.length)
    const line = lines[at] ?? []
    lines[at] = lines.at(-1) ?? []
    lines.pop()
    const mutant = line[Math.floor(random() * line.length)]
    if (mutant) yield mutant
  }
}

function mutantsByLine(mutants: readonly Mutant[]): Map<string, Mutant[]> {
  const lines = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    const line = `${mutant.file}:${mutant.line}`
    lines.set(line, [...(lines.get(line) ?? []), mutant])
  }
  return lines
}

/** Numbers from 0 to below 1 that depend only on the seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
