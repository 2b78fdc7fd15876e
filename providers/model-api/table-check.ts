import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import type { Framing } from './events/framing.ts'
import type { HttpApi } from './http-api.ts'
import { SAMPLING_KEYS } from './settings.ts'
import { refusedChange } from './table-settings.ts'

interface Rule {
  /** A predicate, such as "a text". */
  readonly expected: string
  readonly isRight: (value: unknown) => boolean
  readonly isOptional?: true
}

type Wrong = readonly [place: string, value: unknown, expected: string, known?: readonly string[]]

const FRAMINGS: readonly string[] = ['server-sent-events', 'ndjson'] satisfies readonly Framing[]

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isPath = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/')
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isBase = (value: unknown): boolean => isText(value) && URL.canParse(String(value))
const isFiles = (value: unknown): boolean =>
  isObject(value) && value['types'] instanceof RegExp && typeof value['largest'] === 'number'
const isCallIds = (value: unknown): boolean =>
  isObject(value) && value['pattern'] instanceof RegExp && typeof value['longest'] === 'number'

const TEXT: Rule = { expected: 'a text', isRight: isText }
const FUNCTION: Rule = { expected: 'a function', isRight: isFunction }
const PATH: Rule = { expected: 'a path that begins with "/"', isRight: isPath }
const OBJECT: Rule = { expected: 'an object', isRight: isObject }
const FILES =
  'an object { types, largest }: a RegExp of media types, such as /^image\\/png$/, and a number of bytes'
const CALL_IDS = 'an object { pattern, longest }: a RegExp and a number of letters'

const FORMATS = [
  'json-schema',
  'openai-strict',
  'anthropic',
  'google',
] as const satisfies readonly Format[]
type Format = Extract<NonNullable<HttpApi['toolSchemaFormat']>, string>
const isFormat = (value: unknown): boolean => FORMATS.some((one) => one === value)
const VARIABLE: Rule = {
  expected: 'the name of an environment variable, such as "EXAMPLE_API_KEY"',
  isRight: (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
}

const optional = (rule: Rule): Rule => ({ ...rule, isOptional: true })

const RULES: { readonly [key in keyof Required<HttpApi>]: Rule } = {
  name: TEXT,
  title: TEXT,
  variable: VARIABLE,
  baseUrl: { expected: 'an address, such as "https://api.example.com/v1"', isRight: isBase },
  path: PATH,
  modelsPath: optional(PATH),
  framing: optional({
    expected: 'one of "server-sent-events", "ndjson"',
    isRight: (value) => FRAMINGS.some((one) => one === value),
  }),
  models: OBJECT,
  priceList: optional(TEXT),
  tags: optional({
    expected: 'a list of texts, or a function that returns one',
    isRight: (value) => areTexts(value) || isFunction(value),
  }),
  settings: optional(OBJECT),
  sampling: optional({ expected: 'a list of neutral keys', isRight: areTexts }),
  toolSchemaFormat: optional({
    expected: `one of ${FORMATS.map((one) => `"${one}"`).join(', ')}, or a function that returns one`,
    isRight: (value) => isFormat(value) || isFunction(value),
  }),
  callIds: optional({ expected: CALL_IDS, isRight: isCallIds }),
  files: optional({ expected: FILES, isRight: isFiles }),
  needsKey: optional({ expected: 'true or false', isRight: (value) => typeof value === 'boolean' }),
  keyHeaders: optional(FUNCTION),
  isLast: optional(FUNCTION),
  errorIn: optional(FUNCTION),
  request: FUNCTION,
  answer: FUNCTION,
}

/**
 * Checks a table, which often no compiler has seen.
 * @throws {HostError} OPTION_INVALID, with a pointer into the table
 */
export function checkTable(table: unknown): void {
  if (!isObject(table)) throw invalid(undefined, ['', table, 'an object'])
  const { name } = table
  const known = Object.keys(RULES)
  const unknown = Object.keys(table).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const reason = `has no key "${unknown}".${didYouMean(unknown, known)}`
    throw new HostError('OPTION_INVALID', `${tableOf(name)} ${reason}`, { pointer: `/${unknown}` })
  }
  for (const [key, { expected, isRight, isOptional }] of Object.entries(RULES)) {
    const value = table[key]
    if ((isOptional && value === undefined) || isRight(value)) continue
    throw invalid(name, [key, value, expected, NAMES[key] ?? []])
  }
  checkSampling(table['sampling'], name)
  checkModels(table, name)
  checkSettings(table as unknown as HttpApi)
}

/** The names among which a misspelled value is probably one. */
const NAMES: { readonly [key: string]: readonly string[] } = {
  framing: FRAMINGS,
  toolSchemaFormat: FORMATS,
}

function checkModels({ models, modelsPath }: JsonObject, name: unknown): void {
  const all = Object.entries(models as JsonObject)
  if (all.length === 0 && modelsPath === undefined) {
    const expected = "an object with at least one model, such as { 'a-model': {} }"
    throw invalid(name, ['models', models, `${expected}, or "modelsPath" must be set`])
  }
  const wrong = all.find(([, data]) => !isObject(data))
  if (!wrong) return
  const expected = 'an object of what is known of the model, such as {}'
  throw invalid(name, [`models/${escaped(wrong[0])}`, wrong[1], expected])
}

function checkSettings(table: HttpApi): void {
  const wrong = Object.entries(table.settings ?? {}).find(([, schema]) => !isObject(schema))
  if (wrong) {
    const expected = "a JSON Schema, such as { type: 'string' }"
    throw invalid(table.name, [`settings/${escaped(wrong[0])}`, wrong[1], expected])
  }
  const refused = refusedChange(table)
  if (!refused) return
  const [place, expected] = refused
  const message = `${tableOf(table.name)}: "settings/${place}" must be ${expected}.`
  throw new HostError('OPTION_INVALID', message, { pointer: `/settings/${place}` })
}

/** A name in a JSON pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function checkSampling(sampling: unknown, name: unknown): void {
  if (!Array.isArray(sampling)) return
  const keys: readonly string[] = SAMPLING_KEYS
  const wrong = sampling.findIndex((key: string) => !keys.includes(key))
  if (wrong === -1) return
  const expected = `one of ${keys.join(', ')}`
  throw invalid(name, [`sampling/${wrong}`, sampling[wrong], expected, keys])
}

function invalid(name: unknown, [place, value, expected, known = []]: Wrong): HostError {
  const given = typeof value === 'string' ? `"${value}"` : kindOf(value)
  const hint = typeof value === 'string' ? didYouMean(value, known) : ''
  const where = place === '' ? tableOf(name) : `${tableOf(name)}: "${place}"`
  const message = `${where} must be ${expected}; it is ${given}.${hint}`
  return new HostError('OPTION_INVALID', message, { pointer: place === '' ? '' : `/${place}` })
}

function tableOf(name: unknown): string {
  return isText(name) ? `The table of provider "${String(name)}"` : 'The table of a provider'
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

/**
 * Suggests the known name with the fewest differing letters: at most two, and one in a name of up to five letters. If
 * there is none, the one that begins in the same way.
 */
function didYouMean(name: string, known: readonly string[]): string {
  const folded = fold(name)
  const most = folded.length > 5 ? 2 : 1
  const byDistance = known
    .map((one) => [one, distance(folded, fold(one))] as const)
    .toSorted(([, left], [, right]) => left - right)
  const [near, letters = Infinity] = byDistance[0] ?? []
  const stem = folded.slice(0, STEM)
  const alike = known.find((one) => stem.length === STEM && fold(one).startsWith(stem))
  const meant = letters > most ? alike : near
  return meant === undefined ? '' : ` Did you mean "${meant}"?`
}

/** The letters of a beginning that is hardly the same by chance. */
const STEM = 4

function fold(name: string): string {
  return name.slice(0, 40).toLowerCase().replaceAll(/[_-]/g, '')
}

/** How many letters must be changed, added or removed. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= right.length; to++) {
      const changed = (row[to - 1] ?? 0) + (letter === right[to - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
