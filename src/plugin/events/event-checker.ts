import { HostError } from '../errors.ts'
import type { PartialEvent } from './events.ts'
import { GrowingText } from './growing-text.ts'
import { findJsonFault, inputOf, isObject, type JsonObject } from './json.ts'

type SegmentKind = 'text' | 'reasoning' | 'tool-call'
type FieldKinds = { readonly [field: string]: 'string' | 'object' | 'any' }

interface Rule {
  readonly segment?: SegmentKind
  readonly step?: 'start' | 'delta' | 'end'
  readonly fields: FieldKinds
  /** At least one of these fields must be a string. */
  readonly oneOf?: readonly string[]
}

const RULES: { readonly [type: string]: Rule } = {
  'text-start': { segment: 'text', step: 'start', fields: {} },
  'text-delta': { segment: 'text', step: 'delta', fields: {} },
  'text-end': { segment: 'text', step: 'end', fields: {} },
  'reasoning-start': { segment: 'reasoning', step: 'start', fields: {} },
  'reasoning-delta': { segment: 'reasoning', step: 'delta', fields: {} },
  'reasoning-end': { segment: 'reasoning', step: 'end', fields: {} },
  'tool-call-start': { segment: 'tool-call', step: 'start', fields: { name: 'string' } },
  'tool-call-delta': { segment: 'tool-call', step: 'delta', fields: {} },
  'tool-call-end': { segment: 'tool-call', step: 'end', fields: { input: 'any' } },
  'tool-result': { fields: { callId: 'string', name: 'string', output: 'any' } },
  file: { fields: { mediaType: 'string' }, oneOf: ['data', 'url'] },
  source: { fields: {} },
  data: { fields: { name: 'string', data: 'any' } },
  metadata: { fields: { metadata: 'object' } },
}
const RUN_RULES: { readonly [type: string]: Rule } = {
  'tool-inventory': { fields: { tools: 'any' } },
  'run-resumed': { fields: { reason: 'string' } },
  'model-chosen': { fields: { candidates: 'any', chosen: 'object', reason: 'string' } },
  'model-failed': { fields: { model: 'object', error: 'object', next: 'string' } },
  'context-resolved': { fields: { items: 'any' } },
  'step-start': { fields: { requestId: 'string' } },
  'step-finish': { fields: { messages: 'any' } },
  'tool-execution-start': { fields: { callId: 'string', name: 'string' } },
  'tool-execution-progress': { fields: { callId: 'string' } },
  'tool-execution-end': { fields: { callId: 'string', result: 'object' } },
  'tool-execution-late': { fields: { callId: 'string', result: 'object' } },
  'compaction-start': { fields: { compactionId: 'string', trigger: 'string' } },
  'compaction-end': { fields: { compactionId: 'string' } },
  'approval-required': { fields: { approvalId: 'string', callId: 'string', name: 'string' } },
  'approval-resolved': { fields: { approvalId: 'string', callId: 'string' } },
  'step-reset': { fields: { reason: 'string' } },
  steering: { fields: { message: 'object' } },
  'run-state': { fields: { progress: 'object', values: 'object' } },
  'hook-fault': { fields: { plugin: 'string', key: 'string', message: 'string' } },
}
const REQUEST_RULES = new Map(Object.entries(RULES))
const RULES_OF = {
  request: REQUEST_RULES,
  run: new Map([...REQUEST_RULES, ...Object.entries(RUN_RULES)]),
} as const
const STEP_EDGES = new Set<unknown>(['step-start', 'step-finish', 'step-reset'])
const AFTER_ENDING = new Set<unknown>(['tool-execution-late', 'compaction-start', 'compaction-end'])
const ENDINGS = new Set(['finish', 'error', 'abort'])

interface Segment {
  readonly kind: SegmentKind
  readonly id: string
  open: boolean
  /** The arguments of a tool call that have arrived so far; `closing` needs them. */
  readonly text: GrowingText
}

/**
 * Checks the events of one request or run in order, and throws EVENTS_INVALID at the first that breaks a rule:
 * a delta or an end without a start, an id used twice, a part still open at `finish`, an event after the ending,
 * or an event of unknown type or shape. Each step of a run may use the same ids again.
 */
export class EventChecker {
  readonly #segments = new Map<string, Segment>()
  readonly #rules: ReadonlyMap<string, Rule>
  /** The part of the last event, as a cache: the next event nearly always belongs to the same part. */
  #recent: Segment | undefined
  #started = false
  #ending: string | undefined

  constructor(scope: 'request' | 'run' = 'request') {
    this.#rules = RULES_OF[scope]
  }

  /**
   * @param maker who made the event: a plugin may make neither `start` nor an ending
   * @throws {HostError} EVENTS_INVALID
   */
  check(event: unknown, maker: 'host' | 'plugin' = 'host'): void {
    if (!isObject(event)) throw fault(event, 'an event is an object with a "type"')
    const type = event['type']
    if (this.#ending !== undefined && !AFTER_ENDING.has(type)) {
      throw fault(event, `it comes after the ending "${this.#ending}"`)
    }
    const rule = typeof type === 'string' ? this.#rules.get(type) : undefined
    if (rule === undefined) this.#checkFrame(event, maker)
    else if (rule.segment !== undefined) this.#checkSegment(event, rule, rule.segment)
    else this.#checkWhole(event, rule)
  }

  /** The end events for all open parts, in the order in which the parts were opened. */
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
      throw fault(event, `it needs ${rule.oneOf.join(' or ')} as a string`)
    }
    if (!STEP_EDGES.has(event['type'])) return
    if (event['type'] !== 'step-reset') this.#checkClosed(event)
    this.#segments.clear()
    this.#recent = undefined
  }

  #checkFrame(event: JsonObject, maker: 'host' | 'plugin'): void {
    const type = String(event['type'])
    if (maker === 'plugin' && (type === 'start' || ENDINGS.has(type))) {
      throw fault(event, 'only the host may send it')
    }
    if (type === 'start') {
      if (this.#started) throw fault(event, 'the stream has already started')
      this.#started = true
    } else if (ENDINGS.has(type)) {
      if (type === 'finish') this.#checkClosed(event)
      this.#ending = type
    } else {
      throw fault(event, `its type is unknown; the types are ${[...this.#rules.keys()].join(', ')}`)
    }
  }

  #checkClosed(event: JsonObject): void {
    const [open] = this.closing()
    if (open !== undefined) throw fault(event, `a part is still open; "${open.type}" is missing`)
  }

  #checkSegment(event: JsonObject, rule: Rule, kind: SegmentKind): void {
    const id = event['id']
    if (typeof id !== 'string') throw fault(event, '"id" is not a string')
    // Most events are deltas, and a field of a known name is read much faster.
    if (rule.step !== 'delta') checkFields(event, rule.fields)
    else if (typeof event['delta'] !== 'string') throw wrongField(event, 'delta', 'string')
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

function checkFields(event: JsonObject, fields: FieldKinds): void {
  for (const field in fields) {
    const kind = fields[field] ?? 'any'
    if (!IS_OF[kind](event[field])) throw wrongField(event, field, kind)
  }
}

function wrongField(event: JsonObject, field: string, kind: keyof typeof IS_OF): HostError {
  return fault(event, `"${field}" is missing${kind === 'any' ? '' : ` or is not of type ${kind}`}`)
}

/** Refuses values that are not JSON here, because neither a storage nor a wire format could write them. */
function checkJson(event: JsonObject): void {
  const found = findJsonFault(event)
  if (found) throw fault(event, `${found.reason} (at ${found.pointer})`)
}

function fault(event: unknown, reason: string): HostError {
  const type = isObject(event) ? event['type'] : undefined
  const own = typeof type === 'string' ? `Event "${type.slice(0, 80)}"` : 'An event without a type'
  const kind = event === null ? 'null (None)' : typeof event
  const what = isObject(event) ? own : `A value of type ${kind}`
  return new HostError('EVENTS_INVALID', `${what} is not allowed here: ${reason}.`)
}
