import { type ComponentChildren, h } from 'preact'
import { useMemo } from 'preact/hooks'
import { formulaOf, type MathElement } from './formula.ts'
import { FORMULA_WORDS } from './formula-words.ts'
import type { MathNode } from './nodes.ts'
import './formula.css'
import { scrolled } from './scrolled.ts'

/** A formula as the browser lays it out, or as it is written with a hint. Loaded with the first formula. */
export function DrawnFormula({ math: { tex, raw, isDisplay } }: { readonly math: MathNode }) {
  const element = useMemo(() => formulaOf(tex, isDisplay), [tex, isDisplay])
  const Box = isDisplay ? 'div' : 'span'
  if (!element) {
    return (
      <Box class="markdown-plain" title={FORMULA_WORDS.fault}>
        {raw}
      </Box>
    )
  }
  if (!isDisplay) return <span class="markdown-math">{drawn(element)}</span>
  return (
    <div class="markdown-math" {...scrolled(FORMULA_WORDS.formula)}>
      {drawn(element)}
    </div>
  )
}

function drawn(node: MathElement | string): ComponentChildren {
  if (typeof node === 'string') return node
  const { tag, attributes, style, children } = node
  return h(tag, { ...attributes, style }, ...children.map(drawn))
}
