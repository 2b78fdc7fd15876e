import { useState } from 'preact/hooks'
import { descriptionOf, type FieldProps, isSame, Labeled } from './custom-field.tsx'

/** A value that is written as a text. */
export interface Notation {
  /** Begins the class of the text box. */
  readonly name: string
  readonly write: (value: unknown) => string
  /** Undefined where the text says that there is no value. */
  readonly read: (text: string) => unknown
}

interface TextFieldProps {
  readonly field: FieldProps
  readonly notation: Notation
}

/** A text box for a value. It shows what was typed, as long as it says the value that the form has. */
export function TextField({ field, notation }: TextFieldProps) {
  const { formData, fieldPathId, onChange, readonly: isReadOnly } = field
  const { name, write, read } = notation
  const [typed, setTyped] = useState(() => write(formData))
  const text = isSame(read(typed), formData) ? typed : write(formData)
  return (
    <Labeled field={field}>
      <textarea
        id={fieldPathId.$id}
        class={`form-control ${name}-field`}
        aria-describedby={descriptionOf(field)}
        spellcheck={false}
        readOnly={isReadOnly === true}
        rows={Math.min(12, Math.max(2, text.split('\n').length + 1))}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          onChange(read(value), fieldPathId.path)
        }}
      />
    </Labeled>
  )
}
