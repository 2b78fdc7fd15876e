import type { ComponentChildren } from 'preact'
import { t } from '../words/index.ts'
import { focusPanel } from './tabs.tsx'
import type { Loaded } from './use-loaded.ts'

interface WaitingProps<T> {
  readonly loaded: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}

/** What the server answered, or that it has not, or its error and a way to ask again. */
export function Waiting<T>({ loaded, children }: WaitingProps<T>) {
  const { value, error, retry } = loaded
  if (value !== undefined) return <>{children(value)}</>
  if (error === undefined) {
    return (
      <p class="drawer-note" role="status">
        {t('whyLoading')}
      </p>
    )
  }
  return (
    <div class="drawer-error" role="alert">
      <p>{error}</p>
      <button
        type="button"
        class="drawer-button"
        onClick={(event) => {
          focusPanel(event)
          retry()
        }}
      >
        {t('retry')}
      </button>
    </div>
  )
}
