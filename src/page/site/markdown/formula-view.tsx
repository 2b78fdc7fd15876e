import { useEffect, useState } from 'preact/hooks'
import type { MathNode } from './nodes.ts'

type Drawn = typeof import('./drawn-formula.tsx')

let loaded: Drawn | undefined

async function load(): Promise<Drawn | undefined> {
  try {
    loaded = await import('./drawn-formula.tsx')
  } catch {
    // The server is away, or has another version of the page. The next formula tries again.
  }
  return loaded
}

/** A formula. Until the page has what draws it, it stays as it is written. */
export function FormulaView({ math }: { readonly math: MathNode }) {
  const [drawn, setDrawn] = useState(loaded)
  useEffect(() => {
    if (!drawn) void load().then(setDrawn)
  }, [])
  if (drawn) return <drawn.DrawnFormula math={math} />
  const Box = math.isDisplay ? 'div' : 'span'
  return <Box class="markdown-plain">{math.raw}</Box>
}
