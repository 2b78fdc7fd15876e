import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf, type Mutant } from '../mutant.ts'

interface Described {
  readonly [file: string]: {
    /** The offset at which an import may stand. */
    readonly prelude: number
    readonly mutants: readonly Omit<Mutant, 'file'>[]
  }
}

/** All mutants of some Python files. Their mutators resemble those of StrykerJS. */
export function pythonMutantsOf(root: string, files: readonly string[]): Mutant[] {
  return Object.entries(describe(root, files)).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ file, ...mutant })),
  )
}

/** Puts chosen mutants into their files, behind switches, and numbers them. */
export function instrumentPython(root: string, chosen: readonly Mutant[], helper: string) {
  const names = [...new Set(chosen.map(({ file }) => file))]
  const numbers = new Map(chosen.map((mutant, at) => [keyOf(mutant), `python ${at}`]))
  const files = Object.entries(describe(root, names)).map(([file, { prelude }]) => {
    const text = readFileSync(join(root, file), 'utf8')
    const own = chosen.filter((mutant) => mutant.file === file).sort(outerFirst)
    const head = text.slice(0, prelude)
    const load = `__mutant__ = __import__("runpy").run_path(${JSON.stringify(helper)})["mutant"]\n`
    const body = switched(text, { from: prelude, to: text.length, mutants: own }, numbers)
    return { file, text: head + load + body }
  })
  return { files, numbers }
}

function describe(root: string, files: readonly string[]): Described {
  const script = join(import.meta.dirname, 'find_mutants.py')
  const output = execFileSync('python3', [script], {
    cwd: root,
    input: JSON.stringify(files),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return JSON.parse(output) as Described
}

function outerFirst(left: Mutant, right: Mutant): number {
  return left.start - right.start || right.end - left.end
}

interface Part {
  readonly from: number
  readonly to: number
  /** The mutants in this part, the outer ones first. */
  readonly mutants: readonly Mutant[]
}

/** A part of a text in which each mutant is a conditional expression. */
function switched(text: string, part: Part, numbers: ReadonlyMap<string, string>): string {
  const [outer, ...others] = part.mutants
  if (!outer) return text.slice(part.from, part.to)
  const isInside = ({ end }: Mutant) => end <= outer.end
  const inside = { from: outer.start, to: outer.end, mutants: others.filter(isInside) }
  const after = { ...part, from: outer.end, mutants: others.filter((each) => !isInside(each)) }
  const isOn = `__mutant__(${JSON.stringify(numbers.get(keyOf(outer)))})`
  const original = switched(text, inside, numbers)
  return `${text.slice(part.from, outer.start)}((${outer.replacement}) if ${isOn} else (${original}))${switched(text, after, numbers)}`
}
