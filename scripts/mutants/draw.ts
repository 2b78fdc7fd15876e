import { createHash } from 'node:crypto'
import type { Mutant } from './mutant.ts'

/**
 * Draws mutants at random. All lines with mutants are equally likely, so a room gets mutants in proportion to its lines,
 * and a line is drawn once. A line's turn depends only on the seed and the line, so the same seed draws the same lines
 * again after other files have changed.
 */
export function* draw(mutants: readonly Mutant[], seed: number): Generator<Mutant> {
  const lines = linesOf(mutants).map(({ name, mutants: own }) => {
    return { own, order: numberFor(seed, name), choice: numberFor(seed, `${name}\nchoice`) }
  })
  lines.sort((left, right) => left.order - right.order)
  for (const { own, choice } of lines) {
    const mutant = own[choice % own.length]
    if (mutant) yield mutant
  }
}

interface Line {
  /** What a line keeps when lines before it are added or removed. */
  readonly name: string
  readonly mutants: readonly Mutant[]
}

function linesOf(mutants: readonly Mutant[]): Line[] {
  const lines = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    const line = `${mutant.file}:${mutant.line}`
    lines.set(line, [...(lines.get(line) ?? []), mutant])
  }
  const alike = new Map<string, number>()
  return [...lines.values()].map((own) => {
    const changes = own.map(({ mutator, replacement }) => `${mutator} ${replacement}`)
    const name = [own[0]?.file, ...changes].join('\n')
    const earlier = alike.get(name) ?? 0
    alike.set(name, earlier + 1)
    return { name: `${name}\n${earlier}`, mutants: own }
  })
}

/** A number of 48 bits that depends only on the seed and the text. */
function numberFor(seed: number, text: string): number {
  return createHash('sha256').update(`${seed}\n${text}`).digest().readUIntBE(0, 6)
}
