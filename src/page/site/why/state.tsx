import { t } from '../words/index.ts'
import type { Kind, State } from './documents.ts'

/** A sign for a state: a disc, a ring with a bar, or a ring. Drawn around 0, 0. */
export function StateSign({ state }: { readonly state: State }) {
  return (
    <g class={`why-sign why-${state}`}>
      <circle r="4" />
      {state === 'blocked' ? <path d="M-2.8 2.8L2.8 -2.8" /> : null}
    </g>
  )
}

/** The sign of a state beside text. */
export function InlineSign({ state }: { readonly state: State }) {
  return (
    <svg class="why-inline-sign" viewBox="-6 -6 12 12" aria-hidden="true">
      <StateSign state={state} />
    </svg>
  )
}

export function stateText(state: State): string {
  return t(`whyState_${state}`)
}

export function kindText(kind: Kind): string {
  return t(`whyKind_${kind}`)
}
