import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostFolder } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'

type Schema = { readonly [key: string]: unknown }

/** A table of a guide of this package, whose first column has keys of a config. */
interface Table {
  readonly guide: string
  /** The names of the columns, as in the guide. */
  readonly columns: readonly string[]
  /** The path of the keys in a config. */
  readonly place: readonly string[]
}

const DEFAULT = 'default'
const TABLES: readonly Table[] = [
  { guide: 'config.md', columns: ['key', 'meaning'], place: [] },
  { guide: 'config.md', columns: ['limit', DEFAULT, 'bounds'], place: ['limits'] },
  { guide: 'server.md', columns: ['key', 'meaning', DEFAULT], place: ['server'] },
  { guide: 'server.md', columns: ['limit', DEFAULT, 'bounds'], place: ['server', 'limits'] },
]

/** Adds the descriptions of the guides to the schema of a config file. */
export function described(schema: Schema): Schema {
  const host = hostFolder()
  if (host === undefined) return schema
  return TABLES.reduce((whole, { guide, columns, place }) => {
    const path = join(host, 'docs', guide)
    const rows = existsSync(path) ? rowsOf(readFileSync(path, 'utf8'), columns) : new Map()
    return withDescriptions(whole, place, rows)
  }, schema)
}

function withDescriptions(
  schema: Schema,
  [key, ...below]: readonly string[],
  rows: ReadonlyMap<string, string>,
): Schema {
  const { properties } = schema
  if (!isObject(properties)) return schema
  const changed =
    key === undefined
      ? Object.entries(properties).map(([name, one]) => [name, withText(one, rows.get(name))])
      : [[key, withDescriptions((properties[key] ?? {}) as Schema, below, rows)]]
  return { ...schema, properties: { ...properties, ...Object.fromEntries(changed) } }
}

function withText(schema: unknown, description: string | undefined): unknown {
  return description === undefined || !isObject(schema) ? schema : { description, ...schema }
}

/** The descriptions by key of the table with these columns. */
function rowsOf(guide: string, columns: readonly string[]): ReadonlyMap<string, string> {
  const lines = guide.split('\n')
  const head = lines.indexOf(`| ${columns.join(' | ')} |`)
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
