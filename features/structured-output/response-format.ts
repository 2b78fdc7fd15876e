import { type Config, isObject, type ResponseFormat } from '@braidwork/plugin'

export type Schema = { readonly [keyword: string]: unknown }
type JsonFormat = Exclude<ResponseFormat, { readonly type: 'text' }>

/** The JSON format that a config asks for. */
export interface AskedFormat {
  readonly format: JsonFormat
  readonly schema: Schema
  /** The JSON pointer of the schema in the config. */
  readonly pointer: string
}

/** The meaning of "JSON" without a schema in model APIs: any object. */
const ANY_OBJECT: Schema = { type: 'object' }
/** The maximum length of a schema, which is sent to the model and compiled to code. */
const LONGEST_SCHEMA = 128 * 1024

/** Whether the config asks for JSON. An invalid format counts as well, so that `init` can report it. */
export function asksForJson(config: Config): boolean {
  const { value } = formatIn(config)
  return isObject(value) && value['type'] !== undefined && value['type'] !== 'text'
}

/** @throws CONFIG_INVALID */
export function readFormat(config: Config): AskedFormat {
  const { value, pointer } = formatIn(config)
  const { type, schema } = isObject(value) ? value : {}
  if (type === 'json') return { format: { type }, schema: ANY_OBJECT, pointer }
  if (type !== 'json-schema') {
    throw configError(`${pointer}/type`, 'it must be "text", "json" or "json-schema"')
  }
  const below = `${pointer}/schema`
  if (!isObject(schema)) throw configError(below, 'it must be a JSON Schema, which is an object')
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) {
    throw configError(below, `it is longer than ${LONGEST_SCHEMA / 1024} KB`)
  }
  return { format: value as JsonFormat, schema, pointer: below }
}

/** The provider's own setting takes precedence over the neutral key. */
function formatIn(config: Config): { readonly value: unknown; readonly pointer: string } {
  const { provider = '', settings } = config
  const own = settings?.[provider]?.['response_format']
  return own === undefined
    ? { value: config.response_format, pointer: '/response_format' }
    : { value: own, pointer: `/settings/${provider}/response_format` }
}

export function configError(pointer: string, reason: string, cause?: unknown): Error {
  const message = `"${pointer}" of the config is invalid: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'CONFIG_INVALID', pointer })
}
