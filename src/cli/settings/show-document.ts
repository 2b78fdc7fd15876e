import type { Section, SettingsDocument } from '@braidwork/core'
import { isObject } from '@braidwork/plugin'
import { visible } from '../characters.ts'
import { shorten, type stylesOf } from '../terminal.ts'
import { choicesOf, SWITCH, textOf } from './choices.ts'
import { type Field, type Item, itemsOf, valueIn } from './fields.ts'

type Styles = ReturnType<typeof stylesOf>

const LONGEST_VALUE = 60
const MOST_CHOICES = 12

/** The settings document as text: a paragraph per section, a line per field. */
export async function showDocument(document: SettingsDocument, styles: Styles): Promise<string> {
  const shown = await Promise.all(
    document.sections.map((section) => showSection(document, section, styles)),
  )
  return shown.join('\n')
}

async function showSection(
  document: SettingsDocument,
  section: Section,
  styles: Styles,
): Promise<string> {
  const category = document.uischema.elements.find(
    ({ options }) => options?.plugin === section.plugin,
  )
  const items = section.on && category ? await itemsOf(document, category.elements) : []
  const lines = [
    headOf(section, styles),
    ...linesOf(items, { document, section, styles }, '  '),
    ...section.unshown.map(({ pointer, reason }) => styles.dim(visible(`  ${pointer}: ${reason}`))),
    ...section.actions.map(
      ({ id, title }) => `  ${styles.dim('action')} ${visible(`${title} (${id})`)}`,
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** A section's title, kind and state, with the reason for the state. */
function headOf(section: Section, { bold, dim, green, red }: Styles): string {
  const { plugin, kind, on } = section
  const title = bold(visible(section.title))
  if (plugin === undefined) return title
  const state = on ? green('on') : red('off')
  return `${title} ${dim(visible(`(${kind} ${plugin})`))} ${state}${dim(`: ${visible(whyOf(section))}`)}`
}

/** Why a plugin is on or off, with the tags that decided. */
export function whyOf({ why = '', missing = [], forbidden = [] }: Section): string {
  const tags = [...missing, ...forbidden]
  return tags.length > 0 ? `${why}: ${tags.join(', ')}` : why
}

interface Around {
  readonly document: SettingsDocument
  readonly section: Section
  readonly styles: Styles
}

function linesOf(items: readonly Item[], around: Around, indent: string): readonly string[] {
  const { styles } = around
  return items.flatMap((item) => {
    if (item.type === 'note') return [styles.dim(`${indent}${visible(item.label)}`)]
    if (item.type === 'field') return fieldLines(item, around, indent)
    return [`${indent}${visible(item.label)}`, ...linesOf(item.items, around, `${indent}  `)]
  })
}

function fieldLines(field: Field, around: Around, indent: string): readonly string[] {
  const { dim } = around.styles
  const { description } = field.schema
  const about = aboutOf(field)
  const name = `${visible(field.label)} ${dim(visible(field.pointer))}`
  const line = `${name}: ${visible(valueAt(field, around))}${about === '' ? '' : dim(` (${visible(about)})`)}`
  const words = typeof description === 'string' ? description.split('\n') : []
  return [`${indent}${line}`, ...words.map((word) => dim(`${indent}  ${visible(word)}`))]
}

/** The document has no value that its schema refuses, but a diagnostic of its place, or of one in it. */
function valueAt(field: Field, { document, section }: Around): string {
  const isAt = ({ pointer = '' }: { readonly pointer?: string }): boolean =>
    pointer === field.pointer || pointer.startsWith(`${field.pointer}/`)
  const value = shownValue(field, document.data, section.secretsSet)
  return value === 'not set' && document.diagnostics.some(isAt) ? 'not valid' : value
}

/** A field's value on one line; for a secret only whether it is set. */
export function shownValue(
  field: Field,
  data: SettingsDocument['data'],
  secretsSet: readonly string[],
): string {
  // A value from the environment counts as a secret too, in any field.
  if (secretsSet.includes(field.pointer)) return 'set'
  const value = valueIn(data, field.path)
  if (value === undefined) return 'not set'
  if (field.kind === 'table') return rowsIn(value)
  const text = titleFor(field, value)
  return text === '' ? 'empty' : shorten(text, LONGEST_VALUE)
}

function rowsIn(value: unknown): string {
  const count = Array.isArray(value) ? value.length : 0
  return count === 1 ? '1 row' : `${count} rows`
}

function titleFor({ kind, schema }: Field, value: unknown): string {
  const choices = kind === 'switch' ? SWITCH : kind === 'choice' ? choicesOf(schema) : []
  return choices.find((choice) => choice.value === value)?.label ?? textOf(value)
}

/** The values that a field accepts, and its default if it has one. */
export function aboutOf(field: Field): string {
  const { schema, kind } = field
  const { default: initial, minimum, maximum, items } = schema
  const choices = choicesOf(kind === 'choices' && isObject(items) ? items : schema)
  const isChosen = kind === 'choice' || kind === 'choices'
  const some = choices.slice(0, MOST_CHOICES).map(({ label }) => label)
  const more = choices.length > some.length ? [`… ${choices.length} in total`] : []
  const usual = initial === undefined ? '' : shorten(titleFor(field, initial), LONGEST_VALUE)
  const parts = [
    isChosen ? [...some, ...more].join(' | ') : '',
    minimum === undefined ? '' : `at least ${textOf(minimum)}`,
    maximum === undefined ? '' : `at most ${textOf(maximum)}`,
    usual === '' ? '' : `default ${usual}`,
  ]
  return parts.filter((part) => part !== '').join('; ')
}
