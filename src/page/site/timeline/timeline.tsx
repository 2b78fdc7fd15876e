import { useSignal } from '@preact/signals'
import { t, type Words, wordFor } from '../words/index.ts'
import { durationText } from './duration.ts'
import type { Span, SpanKind } from './spans.ts'
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

/** Spans as bars below each other; one that is chosen shows what was stored of it. */
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
        const range = rangeOf(span, from)
        return (
          <li key={at}>
            <button
              type="button"
              class={`time-row time-${span.kind}`}
              aria-expanded={isChosen}
              title={range}
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
            {isChosen && <Facts span={span} range={range} />}
          </li>
        )
      })}
    </ol>
  )
}

interface FactsProps {
  readonly span: Span
  readonly range: string
}

function Facts({ span: { state, facts }, range }: FactsProps) {
  return (
    <div class="time-facts">
      <p>
        {state && `${wordFor(`spanState_${state}`) ?? state} · `}
        {range}
      </p>
      {facts.map((fact, at) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <pre key={at} tabIndex={0}>
          {JSON.stringify(fact, null, 2)}
        </pre>
      ))}
    </div>
  )
}

/** When something of a run was, since the run began. */
function rangeOf({ from, to }: Span, start: number): string {
  return t('spanRange', { from: durationText(from - start), to: durationText(to - start) })
}

function lengthOf({ from, to }: Span): string {
  return durationText(to - from)
}
