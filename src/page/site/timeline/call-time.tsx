import { useLoaded } from '../drawer/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import { durationText } from './duration.ts'
import { loadSpans } from './load.ts'

interface CallTimeProps {
  readonly client: Client
  readonly runId: string
  readonly callId: string
}

/** How long a call took, as the stored events of its run tell. */
export function CallTime({ client, runId, callId }: CallTimeProps) {
  const { value } = useLoaded((signal) => loadSpans(client, runId, signal), runId)
  const span = value?.find(
    ({ kind, events }) => kind === 'call' && events.some((event) => event['callId'] === callId),
  )
  if (!span) return null
  return <p class="muted call-time">{t('took', { time: durationText(span.to - span.from) })}</p>
}
