import { useState } from 'preact/hooks'
import { type Fault, ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'
import type { Trial } from './documents.ts'

/** What came of what a person did with a spec. */
export interface Outcome {
  /** Why the server refused it. */
  readonly refusal?: string
  readonly faults?: readonly Fault[]
  readonly trial?: Trial
}

/** Does one thing at a time with a spec, and tells what came of it. */
export function useAction() {
  const [outcome, setOutcome] = useState<Outcome>({})
  const [isBusy, setBusy] = useState(false)
  const during = async (act: () => Promise<Trial | undefined>) => {
    setBusy(true)
    setOutcome({})
    try {
      const trial = await act()
      setOutcome(trial ? { trial } : {})
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      const { message, faults } = thrown
      setOutcome({ refusal: t('failed', { message }), faults })
    } finally {
      setBusy(false)
    }
  }
  /** The spec is another one now. Its faults stay until the server has seen it. */
  const changed = () => setOutcome(({ trial: _, ...rest }) => rest)
  return { outcome, isBusy, during, changed }
}
