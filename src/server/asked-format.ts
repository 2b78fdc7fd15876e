import { Accumulator, addUsage, type ErrorData, type RunEvent, type Usage } from '@braidwork/plugin'
import type { ShownError } from './wire/index.ts'

/** The place of the schema in a config. */
const SCHEMA = '/response_format/schema'

/**
 * Returns an error of a run as its client is told it: a fault of the schema that the client sent is the client's own to
 * read, with the place in its request. A schema of the operator stays hidden.
 */
export function withPlace(
  error: ErrorData,
  { schemaPlace: place }: { readonly schemaPlace?: string | undefined },
): ShownError {
  const { pointer = '', code, message } = error
  const isOfSchema = pointer === SCHEMA || pointer.startsWith(`${SCHEMA}/`)
  if (place === undefined || !isOfSchema) return error
  const placed = { ...error, pointer: `${place}${pointer.slice(SCHEMA.length)}` }
  if (code !== 'CONFIG_INVALID') return placed
  const own = message.replace(`"${pointer}" of the config`, 'The JSON Schema of the answer')
  return { ...placed, message: own, isOwn: true }
}

/**
 * Tells one reader of a run whose client asked for a format how it ended. An answer in a format that a limit of tokens cut
 * off ends like any answer that is too long: clients look for that, and show the text. It is given each event once, in
 * order.
 */
export class FormatEnding {
  readonly #accumulator = new Accumulator()

  told(event: RunEvent): RunEvent {
    if (event.type !== 'error') {
      this.#accumulator.add(event)
      return event
    }
    const { error, ...place } = event
    const messages = this.#accumulator.messages()
    const last = messages.findLast(({ role }) => role === 'assistant')
    if (error.code !== 'OUTPUT_INVALID' || last?.metadata?.finishReason !== 'length') return event
    const usage = messages.reduce<Usage>(
      (sum, { metadata }) => addUsage(sum, metadata?.usage ?? {}),
      {},
    )
    return { ...place, type: 'finish', finishReason: 'length', usage, messages }
  }
}
