import { HostError } from '../errors.ts'
import type { PartialEvent } from './events.ts'
import { GrowingText } from './growing-text.ts'
import { findJsonFault, inputOf, isObject, type JsonObject } from './json.ts'

type SegmentKind = 'text' | 'reasoning' | 'tool-call'
type Fields = { readonly [field: string]: 'string' | 'object' | 'any' }

interface Rule {
  readonly segment?: SegmentKind
  readonly step?: 'start' | 'delta' | 'end'
  readonly fields: Fields
  /** One of these must be a text. */
  readonly oneOf?: readonly string[]
}

const RULES: { readonly [type: string]: Rule } = {
  'text-start': { segment: 'text', step: 'start', fields: {} },
  'text-delta': { segment: 'text', step: 'delta', fields: { delta: 'string' } },
  'text-end': { segment: 'text', step: 'end', fields: {} },
  'reasoning-start': { segment: 'reasoning', step: 'start', fields: {} },
  'reasoning-delta': { segment: 'reasoning', step: 'delta', fields: { delta: 'string' } },
  'reasoning-end': { segment: 'reasoning', step: 'end', fields: {} },
  'tool-call-start': { segment: 'tool-call', step: 'start', fields: { name: 'string' } },
  'tool-call-delta': { segment: 'tool-call', step: 'delta', fields: { delta: 'string' } },
  'tool-call-end': { segment: 'tool-call', step: 'end', fields: { input: 'any' } },
  'tool-result': { fields: { callId: 'string', name: 'string', output: 'any' } },
  file: { fields: { mediaType: 'string' }, oneOf: ['data', 'url'] },
  source: { fields: {} },
  data: { fields: { name: 'string', data: 'any' } },
  metadata: { fields: { metadata: 'object' } },
}
const RUN_RULES: { readonly [type: string]: Rule } = {
  'step-start': { fields: { requestId: 'string' } },
  'step-finish': { fields: { messages: 'any' } },
  'tool-execution-start': { fields: { callId: 'string', name: 'string' } },
  'tool-execution-progress': { fields: { callId: 'string' } },
  'tool-execution-end': { fields: { callId: 'string', result: 'object' } },
  'approval-required': { fields: { approvalId: 'string', callId: 'string', name: 'string' } },
  'approval-resolved': { fields: { approvalId: 'string', callId: 'string' } },
  'step-reset': { fields: { reason: 'string' } },
}
const REQUEST_RULES = new Map(Object.entries(RULES))
const RULES_OF = {
  request: REQUEST_RULES,
  run: new Map([...REQUEST_RULES, ...Object.entries(RUN_RULES)]),
} as const
const STEP_EDGES = new Set<unknown>(['step-start', 'step-finish', 'step-reset'])
const ENDINGS = new Set(['finish', 'error', 'abort'])

interface Segment {
  readonly kind: SegmentKind
  readonly id: string
  open: boolean
  /** What a tool call's arguments came to so far, for closing it. */
  readonly text: GrowingText
}

/**
 * Follows the events of one request, or of a run, and throws EVENTS_INVALID at the first that breaks the rules:
 * a delta or an end without a start, an id used twice, a part still open at the finish, anything
 * after the ending, an event of unknown type or shape. Ids begin anew with each step of a run.
 */
export class EventChecker {
  readonly #segments = new Map<string, Segment>()
  readonly #rules: ReadonlyMap<string, Rule>
  /** What the last event was of: the next is nearly always of the same. */
  #recent: Segment | undefined
  #started = false
  #ending: string | undefined

  constructor(scope: 'request' | 'run' = 'request') {
    this.#rules = RULES_OF[scope]
  }

  /**
   * @param maker a plugin makes neither start nor ending
   * @throws {HostError} EVENTS_INVALID
   */
  check(event: unknown, maker: 'host' | 'plugin' = 'host'): void {
    if (!isObject(event)) throw fault(event, 'an event is an object with a "type"')
    if (this.#ending !== undefined) {
      throw fault(event, `it comes after the ending "${this.#ending}"`)
    }
    const type = event['type']
    const rule = typeof type === 'string' ? this.#rules.get(type) : undefined
    if (rule === undefined) this.#checkFrame(event, maker)
    else if (rule.segment !== undefined) this.#checkSegment(event, rule, rule.segment)
    else this.#checkWhole(event, rule)
  }

  /** Events that close all that is open, in the order in which it was opened. */
  closing(): PartialEvent[] {
    const open = [...this.#segments.values()].filter((segment) => segment.open)
    return open.map(({ kind, id, text }) => {
      return kind === 'tool-call'
        ? { type: 'tool-call-end', id, input: inputOf(text.toString()) }
        : { type: `${kind}-end`, id }
    })
  }

  #checkWhole(event: JsonObject, rule: Rule): void {
    checkFields(event, rule.fields)
    checkJson(event)
    if (rule.oneOf?.every((field) => typeof event[field] !== 'string')) {
      throw fault(event, `it has none of ${rule.oneOf.join(' and ')}`)
    }
    if (!STEP_EDGES.has(event['type'])) return
    if (event['type'] !== 'step-reset') this.#checkClosed(event)
    this.#segments.clear()
    this.#recent = undefined
  }

  #checkFrame(event: JsonObject, maker: 'host' | 'plugin'): void {
    const type = String(event['type'])
    if (maker === 'plugin' && (type === 'start' || ENDINGS.has(type))) {
      throw fault(event, 'the host alone makes it')
    }
    if (type === 'start') {
      if (this.#started) throw fault(event, 'it has already started')
      this.#started = true
    } else if (ENDINGS.has(type)) {
      if (type === 'finish') this.#checkClosed(event)
      this.#ending = type
    } else {
      throw fault(event, `no event is called so; events are ${[...this.#rules.keys()].join(', ')}`)
    }
  }

  #checkClosed(event: JsonObject): void {
    const [open] = this.closing()
    if (open !== undefined) throw fault(event, `a part is still open; "${open.type}" is missing`)
  }

  #checkSegment(event: JsonObject, rule: Rule, kind: SegmentKind): void {
    const id = event['id']
    if (typeof id !== 'string') throw fault(event, '"id" is no string')
    checkFields(event, rule.fields)
    const segment = this.#segmentOf(kind, id)
    if (rule.step === 'start') {
      if (segment) throw fault(event, `the id "${id}" was used before`)
      this.#segments.set(`${kind}:${id}`, { kind, id, open: true, text: new GrowingText() })
      return
    }
    if (!segment?.open) {
      throw fault(event, `no "${kind}-start" with the id "${id}" is open`)
    }
    if (rule.step === 'end') {
      checkJson(event)
      segment.open = false
    } else if (kind === 'tool-call') segment.text.add(event['delta'] as string)
  }

  #segmentOf(kind: SegmentKind, id: string): Segment | undefined {
    const recent = this.#recent
    if (recent?.id === id && recent.kind === kind) return recent
    this.#recent = this.#segments.get(`${kind}:${id}`)
    return this.#recent
  }
}

const IS_OF = {
  any: (value: unknown) => value !== undefined,
  object: isObject,
  string: (value: unknown) => typeof value === 'string',
} as const

function checkFields(event: JsonObject, fields: Fields): void {
  for (const field in fields) {
    const isRight = IS_OF[fields[field] ?? 'any'](event[field])
    if (!isRight) throw fault(event, `"${field}" is missing or of the wrong type`)
  }
}

/** What a storage or a wire cannot write must not get that far. */
function checkJson(event: JsonObject): void {
  const found = findJsonFault(event)
  if (found) throw fault(event, `${found.reason} (at ${found.pointer})`)
}

function fault(event: unknown, reason: string): HostError {
  const type = isObject(event) ? String(event['type']) : typeof event
  return new HostError(
    'EVENTS_INVALID',
    `Event "${type.slice(0, 80)}" is not allowed here: ${reason}.`,
  )
}
