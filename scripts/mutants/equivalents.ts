import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applied, type Mutant } from './mutant.ts'

/** A mutant that somebody has looked at, and that behaves like the source in every way that anyone could see. */
export interface Equivalent {
  readonly file: string
  /** Whole lines of the source, as many as make them unique in the file. */
  readonly find: string
  /** The same lines with the mutant. */
  readonly replace: string
  readonly reason: string
}

export const EQUIVALENTS = join('test', 'equivalent-mutants.json')

/** @throws if the source of an equivalent mutant has changed, since then its reason may no longer hold */
export function readEquivalents(root: string): Equivalent[] {
  const path = join(root, EQUIVALENTS)
  const all = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Equivalent[]) : []
  const stale = all.filter(({ file, find }) => {
    return !existsSync(join(root, file)) || textOf(root, file).split(find).length !== 2
  })
  if (stale.length === 0) return all
  const names = stale.map(({ file, find }) => `${file}: ${find}`).join('\n')
  throw new Error(
    `${EQUIVALENTS} has mutants of lines that their files do not have once:\n${names}`,
  )
}

/** The lines of a mutant, before and after. */
export function linesOf(root: string, mutant: Mutant): { find: string; replace: string } {
  const text = textOf(root, mutant.file)
  let from = text.lastIndexOf('\n', mutant.start - 1) + 1
  const end = text.indexOf('\n', mutant.end)
  const to = end === -1 ? text.length : end
  while (from > 0 && text.split(text.slice(from, to)).length !== 2) {
    from = text.lastIndexOf('\n', from - 2) + 1
  }
  const longer = applied(text, mutant).length - text.length
  return { find: text.slice(from, to), replace: applied(text, mutant).slice(from, to + longer) }
}

/** The reason why a mutant is equivalent, if it is in the list. */
export function reasonFor(root: string, mutant: Mutant, all: readonly Equivalent[]) {
  const own = all.filter(({ file }) => file === mutant.file)
  if (own.length === 0) return undefined
  const { find, replace } = linesOf(root, mutant)
  return own.find((entry) => entry.find === find && entry.replace === replace)?.reason
}

function textOf(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
