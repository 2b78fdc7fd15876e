import { useLoaded } from '../drawer/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import { durationText } from './duration.ts'
import { loadSpans } from './load.ts'
import { type Permission, permissionOf } from './permission.ts'

interface CallFactsProps {
  readonly client: Client
  readonly runId: string
  readonly callId: string
}

/** Who let a call run, and how long it took, as the stored events of its run tell. */
export function CallFacts({ client, runId, callId }: CallFactsProps) {
  const { value } = useLoaded((signal) => loadSpans(client, runId, signal), runId)
  if (!value) return null
  const permission = permissionOf(value, callId)
  const span = value.find(
    ({ kind, facts }) => kind === 'call' && facts.some((fact) => fact['callId'] === callId),
  )
  return (
    <>
      {permission && <p class="muted call-fact">{permissionText(permission)}</p>}
      {span && (
        <p class="muted call-fact">{t('took', { time: durationText(span.to - span.from) })}</p>
      )}
    </>
  )
}

function permissionText({ by, source = '' }: Permission): string {
  return t(`permission_${by}`, { source })
}
