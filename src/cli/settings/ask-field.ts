import { validatorOf } from '@braidwork/core/internal'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { type Choice, choicesOf, SWITCH, textOf } from './choices.ts'
import { type Field, fieldsOfSchema } from './fields.ts'
import type { Option, Prompts } from './prompts.ts'
import { aboutOf } from './show-document.ts'

/** A person's answer: a value, or no value. */
export interface Answer {
  readonly value: unknown
}

/** Asks for the value of one field; `undefined` when the person goes back. */
export async function askField(
  field: Field,
  current: unknown,
  prompts: Prompts,
): Promise<Answer | undefined> {
  const asking = { field, current, prompts, message: messageFor(field) }
  switch (field.kind) {
    case 'switch':
      return askChoice(asking, SWITCH)
    case 'choice':
      return askChoice(asking, choicesOf(field.schema))
    case 'choices':
      return askChoices(asking)
    case 'texts':
      return askRows(asking, askItem)
    case 'table':
      return askRows(asking, askRow)
    default:
      return askText(asking)
  }
}

interface Asking {
  readonly field: Field
  readonly current: unknown
  readonly prompts: Prompts
  readonly message: string
}

const NOTHING: Answer = { value: undefined }

function messageFor(field: Field): string {
  const { description } = field.schema
  const words = typeof description === 'string' ? `\n${description}` : ''
  const about = field.kind === 'choice' ? '' : aboutOf(field)
  return `${field.label}${about === '' ? '' : ` (${about})`}${words}`
}

async function askChoice(
  { field, current, prompts, message }: Asking,
  choices: readonly Choice[],
): Promise<Answer | undefined> {
  const answers = choices.map(({ value }): Answer => ({ value }))
  const options = choices.map(({ label }, at) => ({ value: answers[at] ?? NOTHING, label }))
  const none = field.isRequired
    ? []
    : [{ value: NOTHING, label: 'not set', about: defaultOf(field) }]
  const initial = answers.find(({ value }) => value === current) ?? none[0]?.value
  return prompts.choose({
    message,
    options: [...options, ...none],
    ...(initial ? { initial } : {}),
  })
}

function defaultOf({ schema }: Field): string {
  return schema['default'] === undefined ? '' : `default ${textOf(schema['default'])}`
}

async function askChoices({
  field,
  current,
  prompts,
  message,
}: Asking): Promise<Answer | undefined> {
  const { items } = field.schema
  const choices = isObject(items) ? choicesOf(items) : []
  const chosen = Array.isArray(current) ? current : []
  const check = await checkOf(field.schema)
  for (;;) {
    const value = await prompts.chooseSeveral({ message, options: choices, chosen })
    const fault = value && check(value)
    if (fault === undefined) return value && { value: [...value] }
    prompts.say(fault, 'error')
  }
}

async function askText({ field, current, prompts, message }: Asking): Promise<Answer | undefined> {
  const { schema, isRequired, isLong } = field
  const check = await checkOf(schema)
  const text = await prompts.text({
    message,
    isLong,
    initial: textOf(current),
    check: (given) => {
      if (given === '') return isRequired ? 'Enter a value.' : undefined
      const value = parsed(schema, given)
      return value === undefined ? 'Enter a number.' : check(value)
    },
  })
  if (text === undefined) return undefined
  return text === '' ? NOTHING : { value: parsed(schema, text) }
}

/** Converts typed text to the schema's type; `undefined` when the schema asks for a number and the text is none. */
function parsed({ type }: JsonObject, text: string): unknown {
  if (type !== 'number' && type !== 'integer') return text
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

/** Returns a function that checks a value against the schema, and returns the fault as a sentence. */
export async function checkOf(schema: JsonObject): Promise<(value: unknown) => string | undefined> {
  const validate = await validatorOf(schema)
  return (value) => {
    const fault = validate(value)
    return fault && `${fault.message.charAt(0).toUpperCase()}${fault.message.slice(1)}.`
  }
}

type AskOne = (asking: Asking, current: unknown) => Promise<Answer | undefined>

/** Edits a list item by item. */
async function askRows(asking: Asking, askOne: AskOne): Promise<Answer | undefined> {
  const { field, prompts, message, current } = asking
  const check = await checkOf(field.schema)
  let rows: readonly unknown[] = Array.isArray(current) ? current : []
  for (;;) {
    const chosen = await prompts.choose({ message, ...rowChoices(field, rows) })
    if (chosen === undefined) return undefined
    if (chosen === 'none') return NOTHING
    if (chosen !== 'done') rows = await withRow(rows, chosen, { asking, askOne })
    else {
      const fault = check(rows)
      if (fault === undefined) return { value: rows }
      prompts.say(fault, 'error')
    }
  }
}

type RowChoice = number | 'done' | 'none'

/** One choice per row, and a last one that adds a row. */
function rowChoices({ isRequired }: Field, rows: readonly unknown[]) {
  const none: readonly Option<RowChoice>[] = isRequired ? [] : [{ value: 'none', label: 'Not set' }]
  const options: readonly Option<RowChoice>[] = [
    ...rows.map((row, at) => ({ value: at, label: `${at + 1}. ${textOf(row)}` })),
    { value: rows.length, label: 'Add' },
    { value: 'done', label: 'Done' },
    ...none,
  ]
  const initial: RowChoice = rows.length > 0 ? 'done' : 0
  return { options, initial }
}

interface Editing {
  readonly asking: Asking
  readonly askOne: AskOne
}

/** The list with one row added, changed or removed. */
async function withRow(
  rows: readonly unknown[],
  at: number,
  { asking, askOne }: Editing,
): Promise<readonly unknown[]> {
  const isNew = at === rows.length
  const what = isNew
    ? 'change'
    : await asking.prompts.choose({
        message: `${asking.field.label}: ${textOf(rows[at])}`,
        options: [
          { value: 'change', label: 'Change' },
          { value: 'remove', label: 'Remove' },
        ],
      })
  if (what === undefined) return rows
  if (what === 'remove') return rows.toSpliced(at, 1)
  const answer = await askOne(asking, rows[at])
  if (!answer) return rows
  return answer.value === undefined ? rows : rows.toSpliced(at, isNew ? 0 : 1, answer.value)
}

async function askItem({ field, prompts }: Asking, current: unknown): Promise<Answer | undefined> {
  const { items } = field.schema
  const schema = isObject(items) ? items : {}
  const item = { ...field, schema, isRequired: true, kind: 'text' } as const
  return askText({ field: item, current, prompts, message: field.label })
}

async function askRow({ field, prompts }: Asking, current: unknown): Promise<Answer | undefined> {
  const { items } = field.schema
  return askObject(isObject(items) ? items : {}, current, prompts)
}

/** Asks for the fields of an object one after the other. */
export async function askObject(
  schema: JsonObject,
  current: unknown,
  prompts: Prompts,
): Promise<Answer | undefined> {
  const check = await checkOf(schema)
  const fields = fieldsOfSchema(schema)
  let value: { readonly [key: string]: unknown } = isObject(current) ? current : {}
  for (;;) {
    for (const field of fields) {
      const [key = ''] = field.path
      const answer = await askField(field, value[key] ?? field.schema['default'], prompts)
      if (!answer) return undefined
      const { [key]: _, ...others } = value
      value = answer.value === undefined ? others : { ...others, [key]: answer.value }
    }
    const fault = check(value)
    if (fault === undefined) return { value }
    prompts.say(fault, 'error')
    // The fault lies outside the fields, so no question could correct it.
    if (fields.length === 0) return undefined
  }
}
