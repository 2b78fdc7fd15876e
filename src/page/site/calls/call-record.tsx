import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import type { ToolPart, UiMessage } from '../message/index.ts'
import type { Client } from '../server/index.ts'

// Read when somebody opens a call.
const CallFacts = lazy(async () => (await import('../timeline/index.ts')).CallFacts)
const ChildThreads = lazy(async () => (await import('./child-threads.tsx')).ChildThreads)

interface CallRecordProps {
  readonly client: Client
  readonly message: UiMessage
  readonly part: ToolPart
  /** Shows the parts of an answer: also of another agent that the call asked. */
  readonly show: (message: UiMessage) => ComponentChildren
}

const ENDED: readonly ToolPart['state'][] = ['output-available', 'output-error', 'output-denied']

/** What the server recorded of a call: who let it run, how long it took, and the runs of other agents that it asked. */
export function CallRecord({ client, message, part, show }: CallRecordProps) {
  const { runId } = message.metadata ?? {}
  const { toolCallId, preliminary, state } = part
  if (runId === undefined) return null
  const call = { client, runId, callId: toolCallId }
  return (
    <Suspense fallback={null}>
      {!preliminary && ENDED.includes(state) && <CallFacts {...call} />}
      <ChildThreads {...call} show={show} />
    </Suspense>
  )
}
