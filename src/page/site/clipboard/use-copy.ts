import { useEffect, useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'

const TOLD_MS = 2000

interface Copying {
  /** What became of a text that was just to be copied. */
  readonly outcome: 'copied' | 'copyFailed' | undefined
  /** @returns whether the text is copied */
  readonly copy: (text: string) => Promise<boolean>
}

/** Copies texts, and tells for a moment whether it did. */
export function useCopy(): Copying {
  const [outcome, setOutcome] = useState<Copying['outcome']>(undefined)
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), TOLD_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (text: string) => {
    const isCopied = await copyText(text)
    setOutcome(isCopied ? 'copied' : 'copyFailed')
    return isCopied
  }
  return { outcome, copy }
}
