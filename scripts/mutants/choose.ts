import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { draw } from './draw.ts'
import { mutantsOf } from './instrument.ts'
import { type Mutant, sourcesOf } from './mutant.ts'
import { pythonMutantsOf } from './python/instrument.ts'
import { makePlainSandbox, removeSandbox } from './sandbox.ts'
import { wellTyped } from './types.ts'

export interface Choice {
  readonly root: string
  readonly count: number
  readonly seed: number
  /** Whether to break the sources in Python, and not those in TypeScript. */
  readonly python: boolean
  readonly log: (line: string) => void
}

/** Draws mutants that type-check, unless an earlier run has. */
export async function chosenIn(folder: string, options: Choice) {
  const { root, count, seed, log } = options
  const path = join(folder, 'chosen.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Mutant[]
  const all = await allMutants(options)
  const drawn = draw(all, seed)
  const chosen: Mutant[] = []
  const plain = await makePlainSandbox(root)
  let refused = 0
  for (let left = count; left > 0; left = count - chosen.length) {
    const more = Array.from({ length: Math.ceil(left * 1.2) }, () => drawn.next().value)
    const mutants = more.flatMap((mutant) => mutant ?? [])
    if (mutants.length === 0) break
    const valid = await wellTyped(plain.tree, mutants)
    refused += mutants.length - valid.length
    chosen.push(...valid.slice(0, left))
  }
  removeSandbox(plain)
  log(
    `${all.length} mutants are possible; ${refused} drawn ones that do not type-check were replaced`,
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, JSON.stringify(chosen))
  return chosen
}

function allMutants({ root, python }: Choice): Mutant[] | Promise<Mutant[]> {
  if (python) return pythonMutantsOf(root, sourcesOf(root, '.py'))
  return mutantsOf(root, sourcesOf(root, '.ts'))
}
