import { useState } from 'preact/hooks'
import { errorText } from '../reasons/index.ts'
import { type Fault, ServerError } from '../server/index.ts'
import { t, type Words } from '../words/index.ts'
import type { Trial } from './documents.ts'

/** What came of what a person did with a spec. */
export interface Outcome {
  /** Why the server refused it. */
  readonly refusal?: string
  readonly faults?: readonly Fault[]
  readonly trial?: Trial
}

/**
 * Does one thing at a time with a spec, and tells what came of it.
 * @param conflict what is told where the stored agent is not what the spec was made from
 */
export function useAction(conflict: keyof Words) {
  const [outcome, setOutcome] = useState<Outcome>({})
  const [isBusy, setBusy] = useState(false)
  const during = async (act: () => Promise<Trial | undefined>) => {
    if (isBusy) return
    setBusy(true)
    setOutcome({})
    try {
      const trial = await act()
      setOutcome(trial ? { trial } : {})
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      setOutcome({ refusal: refusalOf(thrown, conflict), faults: thrown.faults })
    } finally {
      setBusy(false)
    }
  }
  /** The spec is another one now. Its faults stay until the server has seen it. */
  const changed = () => setOutcome(({ trial: _, ...rest }) => rest)
  const refuse = (refusal: string) => setOutcome({ refusal })
  return { outcome, isBusy, during, changed, refuse }
}

function refusalOf(error: ServerError, conflict: keyof Words): string {
  if (error.code === 'AGENT_UNKNOWN') return t('agentGone')
  if (error.faults.some(({ pointer }) => pointer === '/id')) return t('agentIdInvalid')
  return error.code === 'SPEC_CHANGED' ? t(conflict) : errorText(error)
}
