import { useEffect, useState } from 'preact/hooks'

const COPIED_MS = 2000

interface Copying {
  /** Whether a text has just been copied. */
  readonly isCopied: boolean
  /** @throws {Error} where the browser has no clipboard, as on pages without HTTPS, or refuses it */
  readonly copy: (text: string) => Promise<void>
}

/** Copies texts, and tells so for a moment. */
export function useCopy(): Copying {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return { isCopied, copy }
}
