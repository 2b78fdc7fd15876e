import type { FaultTree } from '../server/index.ts'
import { t } from '../words/index.ts'
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

/** A field for a value without a form of its own, as JSON, with all faults inside it, and the place where its text breaks. */
export function JsonField(field: FieldProps) {
  const { errorSchema = {}, rawErrors = [], formData } = field
  const breaks = rawErrors.length > 0 && typeof formData === 'string' ? [breakIn(formData)] : []
  const faults = [...breaks, ...faultsIn(errorSchema, '')]
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

/** Where a text is no JSON. Browsers name the line in some of their reasons. */
function breakIn(text: string): string {
  try {
    JSON.parse(text)
    return t('formNoObject')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const [, line, column] = /line (\d+) column (\d+)/.exec(reason) ?? []
    if (line && column) return t('formJsonBreaks', { line, column })
    return /end of/.test(reason) ? t('formJsonEnds') : t('formNoJson', { reason })
  }
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
