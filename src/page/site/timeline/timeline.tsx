import { useSignal } from '@preact/signals'
import { t, type Words, wordFor } from '../words/index.ts'
import { durationText } from './duration.ts'
import type { Span, SpanKind, TimedEvent } from './spans.ts'
import './timeline.css'

const NAMES: { readonly [K in SpanKind]: keyof Words } = {
  run: 'spanRun',
  step: 'spanStep',
  call: 'spanCall',
  wait: 'spanWait',
  retry: 'spanRetry',
  compaction: 'spanCompaction',
  notice: 'spanNotice',
  child: 'spanChild',
}
/** The least width of a bar, in percent: a moment is to be seen too. */
const LEAST = 0.6

/** Spans as bars below each other; one that is chosen shows its events. */
export function TimeLine({ spans }: { readonly spans: readonly Span[] }) {
  const chosen = useSignal<Span | undefined>(undefined)
  const from = Math.min(...spans.map((span) => span.from))
  const whole = Math.max(1, ...spans.map(({ to }) => to - from))
  const percent = (ms: number) => (100 * ms) / whole
  return (
    <ol class="time">
      {spans.map((span, at) => {
        const width = Math.max(LEAST, percent(span.to - span.from))
        const left = Math.min(percent(span.from - from), 100 - width)
        const isChosen = chosen.value === span
        return (
          <li key={at}>
            <button
              type="button"
              class={`time-row time-${span.kind}`}
              aria-expanded={isChosen}
              onClick={() => (chosen.value = isChosen ? undefined : span)}
            >
              <span class="time-name">
                {t(NAMES[span.kind])} <b>{span.name}</b>
              </span>
              <span class="time-track" aria-hidden="true">
                <span class="time-bar" style={{ left: `${left}%`, width: `${width}%` }} />
              </span>
              <span class="time-length">{lengthOf(span)}</span>
            </button>
            {isChosen && <Events events={span.events} state={span.state} />}
          </li>
        )
      })}
    </ol>
  )
}

interface EventsProps {
  readonly events: readonly TimedEvent[]
  readonly state: string | undefined
}

function Events({ events, state }: EventsProps) {
  return (
    <div class="time-events">
      {state && <p>{wordFor(`spanState_${state}`) ?? state}</p>}
      {events.map((event) => (
        <pre key={event.seq}>{JSON.stringify(event, null, 2)}</pre>
      ))}
    </div>
  )
}

function lengthOf({ from, to }: Span): string {
  return durationText(to - from)
}
