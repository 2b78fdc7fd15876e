import { useCallback, useEffect, useState } from 'preact/hooks'
import { errorText } from '../reasons/index.ts'
import { ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'

/** What the server answers: nothing yet, a value, or an error. */
export interface Loaded<T> {
  readonly value?: T
  readonly error?: string
  readonly retry: () => void
}

/** Loads something when a component is shown, and again when its key changes. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ readonly value?: T; readonly error?: string }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState({})
    load(signal).then(
      (value) => signal.aborted || setState({ value }),
      (thrown: unknown) => signal.aborted || setState({ error: textOf(thrown) }),
    )
    return () => controller.abort()
  }, [key, attempt])
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { ...state, retry }
}

function textOf(thrown: unknown): string {
  if (!(thrown instanceof ServerError)) return t('failed', { message: String(thrown) })
  if (thrown.code === 'OFFLINE') return t('whyOffline')
  return thrown.status === 401 ? t('signInHint') : errorText(thrown)
}
