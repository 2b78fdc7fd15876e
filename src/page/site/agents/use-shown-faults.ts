import type { RefObject } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { faultsInWords, focusFirstField } from '../forms/index.ts'
import { type Fault, type FaultTree, faultTree, type Values } from '../server/index.ts'
import type { SpecView } from './spec-draft.ts'
import type { Outcome } from './use-action.ts'

interface FaultyDraft {
  readonly outcome: Outcome
  /** The JSON Schema of specs. */
  readonly schema: Values
  /** The spec that the server has judged. */
  readonly sent: RefObject<Values>
  readonly view: SpecView
  readonly idField: RefObject<HTMLInputElement | null>
}

interface ShownFaults {
  /** Those of the fields of the form. */
  readonly tree: FaultTree
  readonly others: readonly Fault[]
}

/** The faults of a spec in words of the page, at their fields. The first wrong field gets the focus. */
export function useShownFaults({ outcome, schema, sent, view, idField }: FaultyDraft): ShownFaults {
  const { faults: told, idFault } = outcome
  const shown = useMemo(() => {
    const faults = told && told.length > 0 ? faultsInWords(schema, sent.current, told) : []
    const fields = Object.keys(Object(schema['properties']) as Values)
    const hasField = ({ pointer }: Fault) =>
      view === 'form' && fields.includes(pointer.split('/')[1] ?? '')
    const inFields = faults.filter(hasField)
    return { inFields, tree: faultTree(inFields), others: faults.filter((one) => !hasField(one)) }
  }, [told, view])
  useEffect(() => {
    if (idFault !== undefined) idField.current?.focus()
    else focusFirstField('agent', shown.inFields)
  }, [outcome])
  return shown
}
