import type { ComponentChildren } from 'preact'
import type { FaultTree, Values } from '../server/index.ts'

/** The props that react-jsonschema-form gives to the fields of this page. */
export interface FieldProps {
  readonly name: string
  readonly schema: Values
  readonly uiSchema?: Values
  readonly formData?: unknown
  readonly readonly?: boolean
  readonly fieldPathId: { readonly $id: string; readonly path: readonly (string | number)[] }
  /** The faults below the field. */
  readonly errorSchema?: FaultTree
  /** The faults of the field itself, which the form shows. */
  readonly rawErrors?: readonly string[]
  readonly onChange: (value: unknown, path: readonly (string | number)[]) => void
}

interface LabeledProps {
  readonly field: FieldProps
  readonly children: ComponentChildren
}

/** The label and the explanation of a field: forms leave them to fields of their users. */
export function Labeled({ field, children }: LabeledProps) {
  const { name, uiSchema = {}, fieldPathId } = field
  const { 'ui:title': title, 'ui:description': description } = uiSchema
  return (
    <>
      <label class="control-label" for={fieldPathId.$id}>
        {typeof title === 'string' ? title : name}
      </label>
      {typeof description === 'string' && (
        <p class="field-description" id={descriptionOf(field)}>
          {description}
        </p>
      )}
      {children}
    </>
  )
}

/** The id of the explanation of a field. */
export function descriptionOf({ fieldPathId }: FieldProps): string {
  return `${fieldPathId.$id}__about`
}

/** Whether two JSON values are the same. Undefined is none. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
