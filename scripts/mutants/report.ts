import { linesOf } from './equivalents.ts'
import { type Mutant, roomOf } from './mutant.ts'

/** What became of a mutant. An open one has tests that have not run yet. */
export interface Result {
  readonly mutant: Mutant
  readonly fate: 'killed' | 'survived' | 'equivalent' | 'open'
  /** The test that noticed it, why it is equivalent, or which tests did not notice it. */
  readonly detail: string
}

/** Tells what became of each mutant: the survivors, then a score for each room. */
export function reportOf(root: string, results: readonly Result[]): string[] {
  const survivors = results.filter(({ fate }) => fate === 'survived')
  return [...survivors.flatMap((result) => survivorLines(root, result)), ...scoreLines(results)]
}

function survivorLines(root: string, { mutant, detail }: Result): string[] {
  const { find, replace } = linesOf(root, mutant)
  return [
    `SURVIVED ${mutant.file}:${mutant.line} ${mutant.mutator}, ${detail}`,
    ...find.split('\n').map((line) => `  - ${line}`),
    ...replace.split('\n').map((line) => `  + ${line}`),
    '',
  ]
}

function scoreLines(results: readonly Result[]): string[] {
  const rooms = [...new Set(results.map(({ mutant }) => roomOf(mutant.file)))].sort()
  const rows = rooms.map((room) => {
    const own = results.filter(({ mutant }) => roomOf(mutant.file) === room)
    return `${scoreOf(own)}  ${room}`
  })
  const equivalent = results.filter(({ fate }) => fate === 'equivalent').length
  const open = results.filter(({ fate }) => fate === 'open').length
  return [
    ...rows,
    `${scoreOf(results)}  all rooms`,
    `${equivalent} equivalent, ${open} not finished; neither is counted`,
  ]
}

function scoreOf(results: readonly Result[]): string {
  const { killed, counted } = countOf(results)
  const percent = counted === 0 ? '–' : `${Math.floor((killed / counted) * 1000) / 10} %`
  return `${`${killed}/${counted}`.padStart(8)} ${percent.padStart(7)}`
}

/** The killed mutants, and those that tests could have killed. */
export function countOf(results: readonly Result[]): { killed: number; counted: number } {
  const killed = results.filter(({ fate }) => fate === 'killed').length
  return { killed, counted: killed + results.filter(({ fate }) => fate === 'survived').length }
}
