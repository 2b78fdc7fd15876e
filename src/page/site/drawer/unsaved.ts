import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import { t } from '../words/index.ts'

/** Whether something in a drawer was filled in and would be lost. */
export interface Unsaved {
  current: boolean
}

export const UnsavedContext = createContext<Unsaved>({ current: false })

/** Lets the drawer around a form ask before it is closed, while the form has what was not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  const unsaved = useContext(UnsavedContext)
  useLayoutEffect(() => {
    unsaved.current = isUnsaved
    return () => {
      unsaved.current = false
    }
  }, [isUnsaved])
}

/** Leaves a form for another view of the drawer, and asks first if something would be lost. */
export function useLeave(): (leave: () => void) => void {
  const unsaved = useContext(UnsavedContext)
  return (leave) => {
    if (mayLeave(unsaved)) leave()
  }
}

/** Asks the person if something would be lost. */
export function mayLeave(unsaved: Unsaved): boolean {
  return !unsaved.current || confirm(t('discardAsk'))
}
