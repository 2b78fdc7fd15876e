import { useSignal } from '@preact/signals'
import { CopyButton, useLoaded, Waiting } from '../drawer/index.ts'
import { type Client, ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'
import type { Change, DryRun, DryRunStep } from './documents.ts'
import { shortened } from './shortened.ts'

interface SentProps {
  readonly client: Client
  readonly conversationId: string
  readonly messageId: string
}

/** The native request of an answer, and what each plugin changed in it. */
export function Sent({ client, conversationId, messageId }: SentProps) {
  const step = useSignal<number | undefined>(undefined)
  const load = (signal: AbortSignal) =>
    loadDryRun(client, { conversationId, messageId, step: step.value }, signal)
  const loaded = useLoaded(load, `${messageId} ${step.value ?? ''}`)
  return (
    <Waiting loaded={loaded}>
      {(dryRun) =>
        dryRun === 'hidden' ? (
          <p>{t('sentHidden')}</p>
        ) : (
          <Request dryRun={dryRun} onStep={(next) => (step.value = next)} />
        )
      }
    </Waiting>
  )
}

interface Asked {
  readonly conversationId: string
  readonly messageId: string
  readonly step: number | undefined
}

/** @returns `hidden` for callers who may not see it. @throws {ServerError} */
async function loadDryRun(
  client: Client,
  { conversationId, messageId, step }: Asked,
  signal: AbortSignal,
): Promise<DryRun | 'hidden'> {
  const path = `api/conversations/${encodeURIComponent(conversationId)}/dry-run`
  const json = { messageId, ...(step === undefined ? {} : { step }) }
  try {
    return await client.json<DryRun>(path, { method: 'POST', json, signal })
  } catch (error) {
    if (error instanceof ServerError && error.code === 'METHOD_UNKNOWN') return 'hidden'
    throw error
  }
}

interface RequestProps {
  readonly dryRun: DryRun
  readonly onStep: (step: number) => void
}

function Request({ dryRun, onStep }: RequestProps) {
  const { model, request, steps, step, lastStep, isRunGone } = dryRun
  const text = JSON.stringify(request, null, 2)
  return (
    <div class="sent">
      <p class="sent-note">{t('sentNote')}</p>
      {isRunGone && <p class="sent-note">{t('sentGone')}</p>}
      <p class="sent-model">
        {model.provider} {model.model}
      </p>
      {lastStep > 1 && (
        <p class="sent-steps">
          <button type="button" disabled={step <= 1} onClick={() => onStep(step - 1)}>
            {t('sentEarlier')}
          </button>
          <span>{t('sentOf', { step, last: lastStep })}</span>
          <button type="button" disabled={step >= lastStep} onClick={() => onStep(step + 1)}>
            {t('sentLater')}
          </button>
        </p>
      )}
      <h3>{t('sentSteps')}</h3>
      <ol>
        {steps.map((one, at) => (
          <li key={at}>
            <Step step={one} />
          </li>
        ))}
      </ol>
      <h3>{t('sentRequest')}</h3>
      <CopyButton text={text} />
      <pre>{JSON.stringify(shortened(request), null, 2)}</pre>
    </div>
  )
}

function Step({ step: { plugin, hook, of, changes } }: { readonly step: DryRunStep }) {
  return (
    <details>
      <summary>
        <b>{plugin}</b> {hook} <span class="muted">({changes.length})</span>
      </summary>
      {changes.length === 0 && <p>{t('sentNone')}</p>}
      {changes.map((change, at) => (
        <ChangeView key={at} of={of} change={change} />
      ))}
    </details>
  )
}

function ChangeView({ of, change }: { readonly of: string; readonly change: Change }) {
  const { path, before, after } = change
  const word =
    before === undefined ? 'sentAdded' : after === undefined ? 'sentRemoved' : 'sentChanged'
  return (
    <div class="sent-change">
      <p>
        <code>{`${of}${path}`}</code> {t(word)}
      </p>
      {before !== undefined && (
        <del>
          <pre>{textOf(before)}</pre>
        </del>
      )}
      {after !== undefined && (
        <ins>
          <pre>{textOf(after)}</pre>
        </ins>
      )}
    </div>
  )
}

function textOf(value: unknown): string {
  const short = shortened(value)
  return typeof short === 'string' ? short : JSON.stringify(short, null, 2)
}
