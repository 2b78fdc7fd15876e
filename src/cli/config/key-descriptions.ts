import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostFolder } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
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
  { ...OF_MODELS, place: ['models', EACH] },
  { ...OF_MODELS, place: ['models', EACH, EACH] },
  { ...OF_MODELS, place: ['models', EACH, 'candidates', EACH] },
  { ...OF_POOLS, place: ['models', EACH] },
]

/** Adds the descriptions of the guides to the schema of a config file; elsewhere, titles become descriptions. */
export function described(schema: Schema): Schema {
  const host = hostFolder()
  const whole = mapSchemas(schema, withTitle)
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
  schema: Schema,
  [key, ...below]: readonly string[],
  rows: ReadonlyMap<string, string>,
): Schema {
  const next = (one: unknown, path = below) =>
    isObject(one) ? withDescriptions(one, path, rows) : one
  const { properties, anyOf } = schema
  if (Array.isArray(anyOf)) {
    const all = key === undefined ? [] : [key, ...below]
    return { ...schema, anyOf: anyOf.map((one) => next(one, all)) }
  }
  if (key === EACH) {
    const each = ['additionalProperties', 'items'].filter((name) => name in schema)
    return { ...schema, ...Object.fromEntries(each.map((name) => [name, next(schema[name])])) }
  }
  if (!isObject(properties) || (key !== undefined && !(key in properties))) return schema
  const changed =
    key === undefined
      ? Object.entries(properties).map(([name, one]) => [name, withText(one, rows.get(name))])
      : [[key, next(properties[key])]]
  return { ...schema, properties: { ...properties, ...Object.fromEntries(changed) } }
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
