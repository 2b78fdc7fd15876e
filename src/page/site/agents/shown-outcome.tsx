import { useLayoutEffect, useRef } from 'preact/hooks'
import { toolReason } from '../reasons/index.ts'
import type { Fault } from '../server/index.ts'
import { t } from '../words/index.ts'
import type { Trial } from './documents.ts'
import type { Outcome } from './use-action.ts'

interface ShownOutcomeProps {
  readonly outcome: Outcome
  /** The faults that no field shows. */
  readonly others: readonly Fault[]
}

/** What came of a trial, brought into view unless the person is led to a field. */
export function ShownOutcome({ outcome, others }: ShownOutcomeProps) {
  const shown = useRef<HTMLDivElement>(null)
  const { refusal, trial, faults = [] } = outcome
  useLayoutEffect(() => {
    const isHere = faults.length === 0 || others.length > 0
    if (trial ?? (isHere && refusal)) shown.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome])
  return (
    <div class="agent-outcome" ref={shown}>
      {refusal !== undefined && (
        <p class="drawer-error" role="alert">
          {refusal}
        </p>
      )}
      {others.length > 0 && (
        <ul class="drawer-error">
          {others.map(({ pointer, message }) => (
            <li key={pointer + message}>{pointer === '' ? message : `${pointer}: ${message}`}</li>
          ))}
        </ul>
      )}
      {trial && <Tried trial={trial} />}
    </div>
  )
}

/** What is told of an agent that works. An older server tells nothing of one that it stores. */
export function Warnings({ warnings = [] }: { readonly warnings?: Trial['warnings'] }) {
  return (
    <ul>
      {warnings.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}

/** The agent as it would be: its warnings, and its tools with the reason for those that it would not have. */
function Tried({ trial }: { readonly trial: Trial }) {
  return (
    <section aria-label={t('agentTrial')}>
      <p role="status">{t('agentWorks')}</p>
      <Warnings warnings={trial.warnings} />
      <h4>{t('whyTools')}</h4>
      <ul>
        {trial.tools.map((tool) => (
          <li key={tool.tool_name}>
            <code>{tool.tool_name}</code>{' '}
            <span class="muted">{tool.offered ? t('whyOffered') : toolReason(tool)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
