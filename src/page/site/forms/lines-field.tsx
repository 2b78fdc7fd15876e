import { t } from '../words/index.ts'
import type { FieldProps } from './custom-field.tsx'
import { type Notation, TextField } from './text-field.tsx'

const LINES: Notation = {
  name: 'lines',
  write: (value) => linesIn(value).join('\n'),
  read: (text) => {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    return lines.length > 0 ? lines : undefined
  },
}

/** A field for a list of names, one on each line, with those that there are. */
export function LinesField(field: FieldProps) {
  const { formData, fieldPathId, onChange, readonly: isReadOnly, uiSchema = {} } = field
  const lines = linesIn(formData)
  const known = linesIn(uiSchema['ui:examples']).filter((name) => !lines.includes(name))
  return (
    <>
      <TextField field={field} notation={LINES} />
      {known.length > 0 && !isReadOnly && (
        <details class="known">
          <summary>{t('formKnown', { count: known.length })}</summary>
          {known.map((name) => (
            <button
              key={name}
              type="button"
              class="drawer-button"
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget, known.length > 1 ? undefined : fieldPathId.$id)
                onChange([...lines, name], fieldPathId.path)
              }}
            >
              {name}
            </button>
          ))}
        </details>
      )}
    </>
  )
}

/** The pressed button goes, and with the last one the list of them. */
function focusBeside(button: Element, fieldId: string | undefined): void {
  const beside = button.nextElementSibling ?? button.previousElementSibling
  const next = fieldId === undefined ? beside : document.getElementById(fieldId)
  if (next instanceof HTMLElement) next.focus()
}

function linesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
