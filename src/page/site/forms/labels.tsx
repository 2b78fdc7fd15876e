import LibraryField from '@rjsf/core/lib/components/templates/WrapIfAdditionalTemplate.js'
import type { ComponentChildren, ComponentType } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Values } from '../server/index.ts'
import { FILLED } from './focus-field.ts'

interface FieldTemplateProps {
  readonly id: string
  readonly label?: string
  readonly required?: boolean
  readonly hidden?: boolean
  readonly displayLabel?: boolean
  readonly description?: ComponentChildren
  readonly errors?: ComponentChildren
  readonly help?: ComponentChildren
  readonly rawErrors?: readonly string[]
  readonly uiSchema?: Values
  readonly children: ComponentChildren
}

const Around = LibraryField as unknown as ComponentType<FieldTemplateProps>

/** The mark of a field that must be filled in. Those who do not see it are told so by the field. */
function Star({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null
  return (
    <span class="required" aria-hidden="true">
      *
    </span>
  )
}

/** A field with its label, its description and its faults. */
function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, required = false, displayLabel, description, uiSchema = {} } = props
  const isWrong = (props.rawErrors?.length ?? 0) > 0
  useLayoutEffect(() => {
    const field = document.getElementById(id)
    if (!field?.matches(FILLED.join())) return
    if (isWrong) field.setAttribute('aria-invalid', 'true')
    else field.removeAttribute('aria-invalid')
  }, [id, isWrong])
  if (props.hidden) return <div hidden>{props.children}</div>
  const isLabeled = displayLabel && label && uiSchema['ui:widget'] !== 'checkbox'
  return (
    <Around {...props}>
      {isLabeled && (
        <label class="control-label" for={id}>
          {label}
          <Star isShown={required} />
        </label>
      )}
      {displayLabel && description}
      {props.children}
      {props.errors}
      {props.help}
    </Around>
  )
}

interface TitleProps {
  readonly id: string
  readonly title: string
  readonly required?: boolean
  readonly optionalDataControl?: ComponentChildren
}

/** The title of fields that belong together. */
function TitleField({ id, title, required = false, optionalDataControl }: TitleProps) {
  return (
    <legend id={id}>
      {title}
      <Star isShown={required} />
      {optionalDataControl}
    </legend>
  )
}

/** The templates of fields and their names, by the names that react-jsonschema-form gives them. */
export const LABEL_TEMPLATES = { FieldTemplate, TitleFieldTemplate: TitleField }
