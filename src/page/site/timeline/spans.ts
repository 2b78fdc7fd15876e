/** An event of a run, as far as the time line looks at it. */
export interface TimedEvent {
  readonly type: string
  readonly seq: number
  /** Milliseconds since 1970. Old runs have no times. */
  readonly at?: number
  readonly [field: string]: unknown
}

export type SpanKind =
  | 'run'
  | 'step'
  | 'call'
  | 'wait'
  | 'retry'
  | 'compaction'
  | 'notice'
  | 'child'

/** Something that was stored of a run. */
export interface Fact {
  readonly [field: string]: unknown
}

/** Something of a run that took time. */
export interface Span {
  readonly kind: SpanKind
  /** The name of a tool, the number of a step, the code of an error; empty where the kind says all. */
  readonly name: string
  readonly from: number
  /** The last moment of the run for what has not ended. */
  readonly to: number
  /** How it ended, such as `succeeded`. */
  readonly state?: string
  /** The events that begin and end it. Of another run, what the tree of runs tells. */
  readonly facts: readonly Fact[]
}

/** A rule: an event that begins a span, and the one that ends it. */
interface Rule {
  readonly kind: SpanKind
  readonly ends: readonly string[]
  /** The name of the field that begin and end have in common. */
  readonly by?: string
  readonly nameOf: (event: TimedEvent) => unknown
  readonly stateOf?: (end: TimedEvent) => unknown
}

const ENDINGS = ['finish', 'error', 'abort']
const nameless = () => ''

const RULES: { readonly [begin: string]: Rule } = {
  start: { kind: 'run', ends: ENDINGS, nameOf: nameless, stateOf: ({ type }) => type },
  'step-start': { kind: 'step', ends: ['step-finish'], by: 'step', nameOf: ({ step }) => step },
  'tool-execution-start': {
    kind: 'call',
    ends: ['tool-execution-end'],
    by: 'callId',
    nameOf: ({ name }) => name,
    stateOf: ({ state }) => state,
  },
  'approval-required': {
    kind: 'wait',
    ends: ['approval-resolved'],
    by: 'approvalId',
    nameOf: ({ name }) => name,
    stateOf: ({ approved }) => (approved === true ? 'approved' : 'denied'),
  },
  'compaction-start': { kind: 'compaction', ends: ['compaction-end'], nameOf: nameless },
}

/** Events that are moments. */
const MOMENTS: { readonly [type: string]: SpanKind } = {
  'model-failed': 'retry',
  'run-resumed': 'notice',
  steering: 'notice',
  'hook-fault': 'notice',
}

/** What of a run took time, in the order in which it began. Events without times are left out. */
export function spansOf(events: readonly TimedEvent[]): readonly Span[] {
  const timed = events.filter((event): event is TimedEvent & { at: number } =>
    Number.isFinite(event.at),
  )
  const last = timed.reduce((latest, { at }) => Math.max(latest, at), 0)
  return timed.flatMap((event, index) => {
    const rule = Object.hasOwn(RULES, event.type) ? RULES[event.type] : undefined
    if (rule) return [spanOf(event, rule, timed.slice(index + 1), last)]
    const kind = Object.hasOwn(MOMENTS, event.type) ? MOMENTS[event.type] : undefined
    return kind ? [{ kind, name: event.type, from: event.at, to: event.at, facts: [event] }] : []
  })
}

function spanOf(
  begin: TimedEvent & { readonly at: number },
  { kind, ends, by, nameOf, stateOf }: Rule,
  rest: readonly (TimedEvent & { readonly at: number })[],
  last: number,
): Span {
  const end = rest.find(
    (event) => ends.includes(event.type) && (by === undefined || event[by] === begin[by]),
  )
  const state = end && stateOf?.(end)
  return {
    kind,
    name: String(nameOf(begin) ?? ''),
    from: begin.at,
    // A clock may go backwards.
    to: Math.max(begin.at, end?.at ?? last),
    ...(typeof state === 'string' ? { state } : {}),
    facts: end ? [begin, end] : [begin],
  }
}

/** A run below another one, as `GET /runs/{id}/tree` shows it. */
export interface TreeAgent {
  readonly id: string
  readonly agent: string
  readonly state: string
  readonly startedAt?: number
  readonly endedAt?: number
  readonly children: readonly string[]
}

/** The runs below a run as spans. What has not ended lasts until `last`. */
export function childSpans(
  agents: readonly TreeAgent[],
  runId: string,
  last: number,
): readonly Span[] {
  return agents.flatMap((run): readonly Span[] => {
    const { id, agent, state, startedAt, endedAt } = run
    if (id === runId || startedAt === undefined) return []
    const to = Math.max(startedAt, endedAt ?? last)
    return [{ kind: 'child', name: agent, from: startedAt, to, state, facts: [{ ...run }] }]
  })
}
