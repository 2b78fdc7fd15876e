import type { Api } from '../../scripts/replay/content.ts'
import { streamText } from '../../scripts/replay/envelope.ts'

/** A recording with one member changed. */
export interface Mutation {
  readonly what: string
  text(): string
}

type Path = readonly (string | number)[]

const ANY = ['null', '7', '"x"', '[1]', '{"a":null}', 'true', undefined] as const
const NAMES = ['""', '"__proto__"', '"constructor"', '"toString"'] as const
const NUMBERS = ['1e999', '-0', '18446744073709551616', '-5', '1.5'] as const
const INDEXES = ['1000000000', '-1', '"0"', '1.5', '"__proto__"'] as const

const MARK = '\uE000mark\uE000'

/** A JSON text with each of its members changed in turn, one at a time. */
export function* mutations(json: string): Iterable<Mutation> {
  const value: unknown = JSON.parse(json)
  for (const { path, member } of membersOf(value)) {
    for (const replacement of replacementsFor(path, member)) {
      const what = `${path.join('.')} → ${replacement ?? 'missing'}`
      yield { what, text: () => replaced(value, path, replacement) }
    }
  }
}

/** A stream with each member of its events changed in turn; events that `passes` refuses stay. */
export function* streamMutations(
  api: Api,
  lines: readonly string[],
  passes: (line: string) => boolean,
): Iterable<Mutation> {
  for (const [at, line] of lines.entries()) {
    if (!passes(line)) continue
    for (const { what, text } of mutations(line)) {
      yield { what: `event ${at}: ${what}`, text: () => streamText(api, lines.with(at, text())) }
    }
  }
}

/** Some of many, spread evenly. */
export function sampled<T>(all: Iterable<T>, most: number): readonly T[] {
  const list = [...all]
  const step = Math.max(1, Math.ceil(list.length / most))
  return list.filter((_, at) => at % step === 0)
}

/** The names and kinds of the members of a JSON text: events of one shape are alike to a reader. */
export function shapeOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return membersOf(value)
      .map(({ path, member }) => `${path.at(-1)}:${member === null ? 'null' : typeof member}`)
      .concat(typeOf(value))
      .join()
  } catch {
    return undefined
  }
}

function typeOf(value: unknown): string {
  return String((value as { readonly type?: unknown } | null)?.type)
}

interface Member {
  readonly path: Path
  readonly member: unknown
}

function membersOf(value: unknown, path: Path = []): readonly Member[] {
  if (typeof value !== 'object' || value === null) return []
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value)
  return entries.flatMap(([key, member]) => [
    { path: [...path, key], member },
    ...membersOf(member, [...path, key]),
  ])
}

function replacementsFor(path: Path, member: unknown): readonly (string | undefined)[] {
  if (/index/.test(String(path.at(-1)))) return [...ANY, ...INDEXES]
  if (typeof member === 'number') return [...ANY, ...NUMBERS]
  return typeof member === 'string' ? [...ANY, ...NAMES] : ANY
}

function replaced(value: unknown, path: Path, replacement: string | undefined): string {
  const copy = structuredClone(value)
  let at = copy as { [key: string | number]: unknown }
  for (const key of path.slice(0, -1)) at = at[key] as typeof at
  const key = path.at(-1) as string
  if (replacement === undefined && !Array.isArray(at)) delete at[key]
  else at[key] = MARK
  return JSON.stringify(copy).replace(`"${MARK}"`, replacement ?? 'null')
}
