import { useState } from 'preact/hooks'
import { errorText } from '../reasons/index.ts'
import { type Fault, ServerError } from '../server/index.ts'
import { t, type Words } from '../words/index.ts'
import type { Trial } from './documents.ts'

/** What came of what a person did with a spec. */
export interface Outcome {
  /** Why the server refused it. */
  readonly refusal?: string
  /** What is wrong with the id. */
  readonly idFault?: string
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
      setOutcome(outcomeOf(thrown, conflict))
    } finally {
      setBusy(false)
    }
  }
  /** The spec is another one now. Its faults stay until the server has seen it. */
  const changed = () =>
    setOutcome((last) => {
      const { trial, ...rest } = last
      return trial ? rest : last
    })
  const refuseId = (idFault: string) => setOutcome({ idFault })
  return { outcome, isBusy, during, changed, refuseId }
}

function outcomeOf(error: ServerError, conflict: keyof Words): Outcome {
  const { code, faults } = error
  if (code === 'AGENT_UNKNOWN') return { refusal: t('agentGone') }
  if (code === 'SPEC_CHANGED') return { refusal: t(conflict) }
  const inFields = faults.filter(({ pointer }) => pointer !== '/id')
  const isIdWrong = inFields.length < faults.length
  return {
    ...(isIdWrong ? { idFault: t('agentIdInvalid') } : {}),
    ...(isIdWrong && inFields.length === 0 ? {} : { refusal: refusalOf(error, inFields) }),
    faults: inFields,
  }
}

function refusalOf(error: ServerError, inFields: readonly Fault[]): string {
  return inFields.length > 0 ? t('agentWrong') : errorText(error)
}
