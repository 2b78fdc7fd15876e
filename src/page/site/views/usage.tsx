import type { UiMessage } from '../message/index.ts'
import { numberText, t } from '../words/index.ts'

/** With three digits that say something, and cents. */
function dollarsText(dollars: number): string {
  const first = dollars > 0 ? Math.floor(Math.log10(dollars)) : 0
  return numberText(dollars, Math.min(Math.max(2, 2 - first), 12))
}

/** What an answer used, and what it cost. */
export function Usage({ message }: { readonly message: UiMessage }) {
  const { usage } = message.metadata ?? {}
  if (!usage) return null
  const { input = 0, output = 0, cost } = usage
  return (
    <span class="muted usage">
      {t('tokens', { input: numberText(input), output: numberText(output) })}
      {cost === undefined ? '' : ` · ${t('cost', { dollars: dollarsText(cost) })}`}
    </span>
  )
}
