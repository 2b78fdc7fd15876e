import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostFolder } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { INNER } from './inner-descriptions.ts'
import { mapSchemas, type Schema } from './map-schemas.ts'

/** A table of a guide of this package, whose first column has keys of a config. */
interface Table {
  readonly guide: string
  /** The heading above it, where another table has the same columns. */
  readonly under?: string
  /** The names of the columns, as in the guide. */
  readonly columns: readonly string[]
  /** The path of the keys in a config. {@link EACH} is any key of an object, or item of a list. */
  readonly place: readonly string[]
}

const DEFAULT = 'default'
const EACH = '*'
const OF_MODELS = {
  guide: 'agents.md',
  under: '## The spec of a model',
  columns: ['field', 'meaning'],
} as const
const OF_POOLS = { guide: 'agents.md', columns: ['field of a pool', 'meaning'] } as const
const TABLES: readonly Table[] = [
  { guide: 'config.md', columns: ['key', 'meaning'], place: [] },
  { guide: 'config.md', columns: ['limit', DEFAULT, 'bounds'], place: ['limits'] },
  { guide: 'server.md', columns: ['key', 'meaning', DEFAULT], place: ['server'] },
  { guide: 'server.md', columns: ['limit', DEFAULT, 'bounds'], place: ['server', 'limits'] },
  { guide: 'server.md', columns: ['key', 'meaning'], place: ['server', 'oidc'] },
  { guide: 'agents.md', columns: ['field', 'meaning'], place: ['agents', EACH] },
  {
    guide: 'agents.md',
    columns: ['field of `context_policy`', 'meaning'],
    place: ['agents', EACH, 'context_policy'],
  },
  {
    guide: 'agents.md',
    columns: ['field of the section `compaction`', 'meaning'],
    place: ['agents', EACH, 'sections', 'compaction'],
  },
  {
    guide: 'agents.md',
    columns: ['field of `retry`', 'meaning'],
    place: ['agents', EACH, 'sections', 'retry'],
  },
  {
    guide: 'many-agents.md',
    columns: ['field of `team`', 'meaning'],
    place: ['agents', EACH, 'team'],
  },
  { ...OF_MODELS, place: ['models', EACH] },
  { ...OF_MODELS, place: ['models', EACH, EACH] },
  { ...OF_MODELS, place: ['models', EACH, 'candidates', EACH] },
  { ...OF_POOLS, place: ['models', EACH] },
]

/** Keywords whose schemas are about the same value as the schema that has them. */
const OF_SAME_VALUE = ['anyOf', 'allOf', 'then']

/** Adds the descriptions of the guides to the schema of a config file; elsewhere, titles become descriptions. */
export function described(schema: Schema): Schema {
  const host = hostFolder()
  const titled = mapSchemas(schema, withTitle)
  const whole = INNER.reduce<Schema>((all, { place, keys }) => {
    return withDescriptions(all, place, new Map(Object.entries(keys)))
  }, titled)
  if (host === undefined) return whole
  return TABLES.reduce((all, table) => {
    const path = join(host, 'docs', table.guide)
    const rows = existsSync(path) ? rowsOf(readFileSync(path, 'utf8'), table) : new Map()
    return withDescriptions(all, table.place, rows)
  }, whole)
}

/** Editors show descriptions, and most settings of plugins only have titles. */
function withTitle(schema: Schema): Schema {
  const { title, description } = schema
  if (typeof title !== 'string' || description !== undefined) return schema
  return { ...schema, description: asSentence(title) }
}

function withDescriptions(
  given: Schema,
  place: readonly string[],
  rows: ReadonlyMap<string, string>,
): Schema {
  const [key, ...below] = place
  const next = (one: unknown, path = below): unknown => {
    if (Array.isArray(one)) return one.map((each) => next(each, path))
    return isObject(one) ? withDescriptions(one, path, rows) : one
  }
  const schema = changed(given, OF_SAME_VALUE, (one) => next(one, [...place]))
  if (key === EACH) return changed(schema, ['additionalProperties', 'items'], (one) => next(one))
  const { properties } = schema
  if (!isObject(properties) || (key !== undefined && !(key in properties))) return schema
  const texts =
    key === undefined
      ? Object.entries(properties).map(([name, one]) => [name, withText(one, rows.get(name))])
      : [[key, next(properties[key])]]
  return { ...schema, properties: { ...properties, ...Object.fromEntries(texts) } }
}

/** A copy of a schema in which the values of these keywords are changed, if it has them. */
function changed(
  schema: Schema,
  keywords: readonly string[],
  change: (value: unknown) => unknown,
): Schema {
  const own = keywords.filter((name) => name in schema)
  return { ...schema, ...Object.fromEntries(own.map((name) => [name, change(schema[name])])) }
}

function withText(schema: unknown, description: string | undefined): unknown {
  return description === undefined || !isObject(schema) ? schema : { description, ...schema }
}

/** The descriptions by key of a table. */
function rowsOf(guide: string, { under = '', columns }: Table): ReadonlyMap<string, string> {
  const lines = guide.split('\n')
  const heading = Math.max(lines.indexOf(under), 0)
  const head = lines.indexOf(`| ${columns.join(' | ')} |`, heading)
  const rows = new Map<string, string>()
  for (const line of lines.slice(head + 2)) {
    if (head === -1 || !line.startsWith('| ')) break
    const [keys = '', ...cells] = line.slice(2, -2).split(' | ')
    for (const key of keys.split(', ')) rows.set(key.replaceAll('`', ''), textOf(cells, columns))
  }
  return rows
}

/** The cell with the meaning as a sentence, and the default. Links become their texts. */
function textOf(cells: readonly string[], [, ...names]: readonly string[]): string {
  const [meaning = '', usual] = [
    names.findIndex((name) => name !== DEFAULT),
    names.indexOf(DEFAULT),
  ]
    .map((at) => cells[at])
    .map((cell) => cell?.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1'))
  const text = `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`
  return usual === undefined ? text : `${text} Default: ${usual}.`
}
