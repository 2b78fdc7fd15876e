import { unhidden } from '../message/index.ts'

const LONGEST_VALUE = 20_000

interface ValueProps {
  readonly name: string
  readonly value: unknown
  /** Whether a long value is shown whole, since a person decides by it. */
  readonly isWhole?: boolean
}

/** A value under its name: a text as it is, anything else as JSON. Hidden characters are visible. */
export function Value({ name, value, isWhole = false }: ValueProps) {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const isCut = !isWhole && text.length > LONGEST_VALUE
  return (
    <div class="value">
      <h3>{name}</h3>
      <pre tabindex={0}>
        {isCut ? `${unhidden(text.slice(0, LONGEST_VALUE))}…` : unhidden(text)}
      </pre>
    </div>
  )
}
