import { useSignal } from '@preact/signals'
import { Drawer, Tabs, useLoaded, Waiting } from '../drawer/index.ts'
import { type Client, ServerError } from '../server/index.ts'
import { loadSpans, type Span, TimeLine } from '../timeline/index.ts'
import { t } from '../words/index.ts'
import { Sent } from './sent.tsx'
import './details.css'

interface DetailsProps {
  readonly client: Client
  readonly conversationId: string
  readonly messageId: string
  /** The run of the answer; undefined where none is known. */
  readonly runId: string | undefined
  /** Whether the person may see what was sent. */
  readonly isAdmin: boolean
  readonly onClose: () => void
}

/** A drawer about one answer: what the model API was sent for it, and what took how long. */
export function Details(props: DetailsProps) {
  const { client, conversationId, messageId, runId, isAdmin, onClose } = props
  const chosen = useSignal(isAdmin ? 'sent' : 'time')
  const sent = () => <Sent client={client} conversationId={conversationId} messageId={messageId} />
  const time = () => <Time client={client} runId={runId ?? ''} />
  const tabs = [
    ...(isAdmin ? [{ id: 'sent', title: t('sent'), count: undefined, panel: sent }] : []),
    ...(runId ? [{ id: 'time', title: t('timeLine'), count: undefined, panel: time }] : []),
  ]
  return (
    <Drawer title={t('detailsTitle')} note={undefined} onClose={onClose}>
      <Tabs tabs={tabs} chosen={chosen.value} onChoose={(id) => (chosen.value = id)} />
    </Drawer>
  )
}

function Time({ client, runId }: { readonly client: Client; readonly runId: string }) {
  const loaded = useLoaded((signal) => spansOfKept(client, runId, signal), runId)
  return (
    <Waiting loaded={loaded}>
      {(spans) => {
        if (spans === 'deleted') return <p class="drawer-note">{t('timeGone')}</p>
        return spans.length > 0 ? <TimeLine spans={spans} /> : <p>{t('timeNone')}</p>
      }}
    </Waiting>
  )
}

/** The spans of a run, unless it was deleted: a branch outlives the conversation that it comes from. @throws {ServerError} */
async function spansOfKept(
  client: Client,
  runId: string,
  signal: AbortSignal,
): Promise<readonly Span[] | 'deleted'> {
  try {
    return await loadSpans(client, runId, signal)
  } catch (error) {
    if (error instanceof ServerError && error.code === 'RUN_UNKNOWN') return 'deleted'
    throw error
  }
}
