import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { readAnswer, reasonIn } from '../chat/index.ts'
import { useLoaded } from '../drawer/index.ts'
import type { UiMessage } from '../message/index.ts'
import { errorText, reasonText } from '../reasons/index.ts'
import { type Client, ServerError } from '../server/index.ts'
import { t, wordFor } from '../words/index.ts'

/** A run as `GET /runs/{id}/tree` shows it. */
interface TreeRun {
  readonly id: string
  readonly agent?: string
  readonly state: string
  readonly parentRunId?: string
  readonly parentCallId?: string
}

interface ChildThreadsProps {
  readonly client: Client
  readonly runId: string
  readonly callId: string
  /** Shows the parts of an answer. */
  readonly show: (message: UiMessage) => ComponentChildren
}

/** The runs of other agents that a call asked, each as a thread that opens in its place. */
export function ChildThreads({ client, runId, callId, show }: ChildThreadsProps) {
  const { value } = useLoaded(
    (signal) =>
      client.json<{ readonly agents: readonly TreeRun[] }>(
        `runs/${encodeURIComponent(runId)}/tree`,
        { signal },
      ),
    `${runId} ${callId}`,
  )
  const below = value?.agents.filter(
    (run) => run.parentRunId === runId && run.parentCallId === callId,
  )
  return (
    <>
      {below?.map((run) => (
        <ChildThread key={run.id} client={client} run={run} show={show} />
      ))}
    </>
  )
}

interface ChildThreadProps extends Pick<ChildThreadsProps, 'client' | 'show'> {
  readonly run: TreeRun
}

function ChildThread({ client, run, show }: ChildThreadProps) {
  const isOpen = useSignal(false)
  const { agent = t('agent'), state, id } = run
  return (
    <details
      class="fold child-thread"
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>
        {t('childThread', { agent })}{' '}
        <span class="muted">{wordFor(`spanState_${state}`) ?? state}</span>
      </summary>
      {isOpen.value && <ChildAnswer client={client} runId={id} agent={agent} show={show} />}
    </details>
  )
}

interface ChildAnswerProps extends Pick<ChildThreadsProps, 'client' | 'show' | 'runId'> {
  readonly agent: string
}

/** The answer of a child run, as it comes or as it came. */
function ChildAnswer({ client, runId, agent, show }: ChildAnswerProps) {
  const message = useSignal<UiMessage | undefined>(undefined)
  const fault = useSignal<string | undefined>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    const read = async () => {
      const path = `runs/${encodeURIComponent(runId)}/events?protocol=ui-message-stream`
      const response = await client.stream(path, { signal: leaving.signal })
      const end = await readAnswer(response, undefined, (told) => (message.value = told))
      if (end.error !== undefined)
        fault.value = t('answerFailed', { message: reasonText(reasonIn(end.error)) })
    }
    read().catch((thrown: unknown) => {
      if (leaving.signal.aborted) return
      if (!(thrown instanceof ServerError)) throw thrown
      fault.value = errorText(thrown)
    })
    return () => leaving.abort()
  }, [runId])
  const { value } = message
  return (
    <section class="child-answer" aria-label={agent}>
      {value && show(value)}
      {fault.value !== undefined && <p role="alert">{fault.value}</p>}
    </section>
  )
}
