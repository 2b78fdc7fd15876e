import {
  CONTEXT_KINDS,
  CONTEXT_STATUSES,
  type ContextItem,
  HostError,
  isObject,
} from '@braidwork/plugin'

/** The most reports that a request tells, and the most characters of a text in one. */
const MOST_REPORTS = 100
const LONGEST_TEXT = 300

/** What plugins reported for a request. */
export interface Reported {
  readonly items: readonly ContextItem[]
  /** How many reports there were beyond those. */
  readonly omitted: number
}

/** Collects the reports for a request, until it is sent. LR-06 */
export class Reports {
  readonly #items: ContextItem[] = []
  #omitted = 0

  readonly add = (item: ContextItem): void => {
    if (this.#items.length < MOST_REPORTS) this.#items.push(item)
    else this.#omitted++
  }

  get all(): Reported {
    return { items: [...this.#items], omitted: this.#omitted }
  }
}

/**
 * Checks a plugin's report, and copies it without secrets and at a bounded length.
 * @throws {HostError} EVENTS_INVALID
 */
export function reportOf(
  plugin: string,
  given: unknown,
  mask: (text: string) => string,
): ContextItem {
  const { kind, ref, status, reason } = isObject(given) ? given : {}
  const text = (value: string) => shortened(mask(value))
  const known = CONTEXT_KINDS.find((one) => one === kind)
  if (!known) throw invalid(plugin, `"kind" must be one of ${CONTEXT_KINDS.join(', ')}`)
  if (typeof ref !== 'string' || ref === '') throw invalid(plugin, '"ref" must be a text')
  const told = CONTEXT_STATUSES.find((one) => one === (status ?? 'included'))
  if (!told) throw invalid(plugin, `"status" must be one of ${CONTEXT_STATUSES.join(', ')}`)
  if (reason !== undefined && typeof reason !== 'string') {
    throw invalid(plugin, '"reason" must be a text')
  }
  const why = reason === undefined ? {} : { reason: text(reason) }
  return { kind: known, ref: text(ref), status: told, ...why, plugin }
}

/** Cuts a text, never within a character. */
function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  return `${text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function invalid(plugin: string, reason: string): HostError {
  const message = `A report of plugin "${plugin}" is invalid: ${reason}.`
  return new HostError('EVENTS_INVALID', message, { plugin })
}
