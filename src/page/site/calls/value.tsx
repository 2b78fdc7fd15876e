const LONGEST_VALUE = 20_000

/** A value under its name: a text as it is, anything else as JSON. */
export function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  return (
    <div class="value">
      <h3>{name}</h3>
      <pre tabindex={0}>
        {text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}
      </pre>
    </div>
  )
}
