import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type File, Instrumenter } from '@stryker-mutator/instrumenter'
import { keyOf, type Mutant } from './mutant.ts'

/** A file with a switch at each mutant. */
interface Instrumented {
  readonly file: string
  readonly text: string
}

type Logger = ConstructorParameters<typeof Instrumenter>[0]

function silent(): void {}

const LOGGER: Logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true }

/** All mutants that StrykerJS makes of some files. */
export async function mutantsOf(root: string, files: readonly string[]): Promise<Mutant[]> {
  const sources = files.map((name) => ({ name, mutate: true, content: read(root, name) }))
  return (await instrument(sources)).mutants.map(([mutant]) => mutant)
}

/**
 * Puts chosen mutants into their files, behind switches. Each has a number that the switch knows it by. StrykerJS also
 * places the other mutants of the chosen places; nobody switches them on.
 */
export async function instrumentChosen(
  root: string,
  chosen: readonly Mutant[],
): Promise<{ files: Instrumented[]; numbers: ReadonlyMap<string, string> }> {
  const files = [...new Set(chosen.map(({ file }) => file))]
  const sources = files.map((name) => {
    const content = read(root, name)
    const own = chosen.filter(({ file }) => file === name)
    const mutate = own.map(({ start, end }) => ({
      start: positionOf(content, start),
      end: positionOf(content, end),
    }))
    return { name, content, mutate }
  })
  const { outputs, mutants } = await instrument(sources)
  const numbers = new Map(mutants.map(([mutant, number]) => [keyOf(mutant), number]))
  return { files: outputs.map(({ name, content }) => ({ file: name, text: content })), numbers }
}

async function instrument(sources: readonly File[]) {
  const { files, mutants } = await new Instrumenter(LOGGER).instrument(sources, OPTIONS)
  const texts = new Map(sources.map(({ name, content }) => [name, lineStarts(content)]))
  const found = mutants.map(({ id, fileName, location, mutatorName, replacement }) => {
    const starts = texts.get(fileName) ?? []
    const offset = ({ line, column }: Position) => (starts[line] ?? 0) + column
    const mutant: Mutant = {
      file: fileName,
      line: location.start.line + 1,
      mutator: mutatorName,
      start: offset(location.start),
      end: offset(location.end),
      replacement: replacement ?? '',
    }
    return [mutant, id] as const
  })
  return { outputs: files, mutants: found }
}

/** Counted from zero. */
interface Position {
  readonly line: number
  readonly column: number
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
