import RjsfNumberField from '@rjsf/core/lib/components/fields/NumberField.js'
import { ariaDescribedByIds } from '@rjsf/utils'
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { digitsText, numberIn, t } from '../words/index.ts'
import { type FieldProps, isSame } from './custom-field.tsx'

interface NumberFieldProps extends FieldProps {
  readonly required?: boolean
  readonly registry: {
    readonly schemaUtils: { isSelect(schema: FieldProps['schema']): boolean }
  }
}

/** A number that is chosen. */
const ChosenNumber = RjsfNumberField as unknown as ComponentType<NumberFieldProps>

/**
 * A field for a number as people write it in the language of the page. It shows what was typed, as long as that says the
 * value of the form. A text that is no number stays a text, which the check of the form refuses.
 */
export function NumberField(props: NumberFieldProps) {
  const { schema, uiSchema = {}, registry } = props
  const isChosen = uiSchema['ui:widget'] !== undefined || registry.schemaUtils.isSelect(schema)
  return isChosen ? <ChosenNumber {...props} /> : <WrittenNumber {...props} />
}

function WrittenNumber(props: NumberFieldProps) {
  const { formData, fieldPathId, onChange, schema, rawErrors = [], required = false } = props
  const [typed, setTyped] = useState(() => textOf(formData))
  const text = isSame(valueIn(typed), formData ?? undefined) ? typed : textOf(formData)
  const isUnread = rawErrors.length > 0 && typeof formData === 'string'
  return (
    <>
      <input
        id={fieldPathId.$id}
        class="form-control"
        inputMode={[schema['type']].flat().includes('integer') ? 'numeric' : 'decimal'}
        autocomplete="off"
        required={required}
        readOnly={props.readonly === true}
        value={text}
        aria-describedby={ariaDescribedByIds(fieldPathId.$id)}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          onChange(valueIn(value), fieldPathId.path)
        }}
      />
      {isUnread && <p class="text-danger">{t('formNoNumber')}</p>}
    </>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return digitsText(value)
  return typeof value === 'string' ? value : ''
}

function valueIn(text: string): unknown {
  return text.trim() === '' ? undefined : (numberIn(text) ?? text)
}
