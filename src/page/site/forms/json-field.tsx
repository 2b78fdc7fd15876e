import type { FaultTree } from '../server/index.ts'
import type { FieldProps } from './custom-field.tsx'
import { type Notation, TextField } from './text-field.tsx'

/** A text that is no JSON stays a text, which the check of the form refuses. */
const JSON_TEXT: Notation = {
  name: 'json',
  write: (value) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')),
  read: (text) => {
    if (text.trim() === '') return undefined
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  },
}

/** A field for a value without a form of its own, as JSON, with all faults inside it. */
export function JsonField(field: FieldProps) {
  const faults = [...faultsIn(field.errorSchema ?? {}, '')]
  return (
    <>
      <TextField field={field} notation={JSON_TEXT} />
      {faults.length > 0 && (
        <ul class="error-detail">
          {faults.map((fault) => (
            <li key={fault} class="text-danger">
              {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The faults below a field. The form itself shows those of the field. */
function* faultsIn(tree: FaultTree, at: string): Generator<string> {
  for (const [name, inner] of Object.entries(tree)) {
    if (name === '__errors' || typeof inner !== 'object' || Array.isArray(inner)) continue
    const below = inner as FaultTree
    const place = `${at}/${name}`
    for (const fault of below.__errors ?? []) yield `${place}: ${fault}`
    yield* faultsIn(below, place)
  }
}
