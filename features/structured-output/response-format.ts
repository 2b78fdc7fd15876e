import { type Config, isObject, type ResponseFormat } from '@braidwork/plugin'

export type Schema = { readonly [keyword: string]: unknown }
type JsonFormat = Exclude<ResponseFormat, { readonly type: 'text' }>

/** The JSON that a config asks for. */
export interface AskedFormat {
  readonly format: JsonFormat
  readonly schema: Schema
  /** Where in the config the schema stands. */
  readonly pointer: string
}

/** What model APIs call JSON: an object of any members. */
const ANY_OBJECT: Schema = { type: 'object' }
/** A schema is told to the model, and becomes code. */
const LONGEST_SCHEMA = 128 * 1024

/** Whether an answer in JSON is asked for; one that is asked for wrongly counts, so that `init` can say so. */
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
    throw configError(`${pointer}/type`, 'it is none of "text", "json" and "json-schema"')
  }
  const below = `${pointer}/schema`
  if (!isObject(schema)) throw configError(below, 'it is no object; give a JSON Schema')
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) {
    throw configError(below, `it is longer than ${LONGEST_SCHEMA / 1024} KB`)
  }
  return { format: value as JsonFormat, schema, pointer: below }
}

/** A setting of the provider's wins over the neutral key. CONTRACT 2 */
function formatIn(config: Config): { readonly value: unknown; readonly pointer: string } {
  const { provider = '', settings } = config
  const own = settings?.[provider]?.['response_format']
  return own === undefined
    ? { value: config.response_format, pointer: '/response_format' }
    : { value: own, pointer: `/settings/${provider}/response_format` }
}

export function configError(pointer: string, reason: string, cause?: unknown): Error {
  const message = `"${pointer}" of the config cannot be used: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'CONFIG_INVALID', pointer })
}
