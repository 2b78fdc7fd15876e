import { t } from '../words/index.ts'
import { STATES } from './documents.ts'
import type { Edge } from './edges.ts'
import type { Box } from './geometry.ts'
import { InlineSign, stateText } from './state.tsx'

interface LegendProps {
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
}

/** What the signs and lines mean, as far as the picture has them. */
export function Legend({ boxes, edges }: LegendProps) {
  const lines = [
    {
      name: 'whyLive',
      style: 'why-edge-required why-live',
      isThere: edges.some(({ live }) => live),
    },
    { name: 'whyIdle', style: 'why-edge-required', isThere: edges.some(({ live }) => !live) },
    {
      name: 'whyForbids',
      style: 'why-edge-forbidden why-live',
      isThere: edges.some(({ need }) => need === 'forbidden'),
    },
  ] as const
  const states = STATES.filter((state) => boxes.some((box) => box.state === state))
  return (
    <ul class="why-legend" aria-hidden="true">
      {states.map((state) => (
        <li key={state}>
          <InlineSign state={state} />
          {stateText(state)}
        </li>
      ))}
      {lines
        .filter(({ isThere }) => isThere)
        .map(({ name, style }) => (
          <li key={name}>
            <svg class="why-inline-line" viewBox="0 0 24 4" aria-hidden="true">
              <path d="M0 2H24" class={`why-edge ${style}`} />
            </svg>
            {t(name)}
          </li>
        ))}
    </ul>
  )
}
