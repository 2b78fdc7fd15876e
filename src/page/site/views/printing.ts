import { flushSync } from 'preact/compat'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether the page is being printed. The browser prints what is drawn at the end of its event, so nothing is put off. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useLayoutEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
