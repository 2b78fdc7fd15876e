import type { ComponentChildren } from 'preact'
import type { Values } from '../server/index.ts'
import { t } from '../words/index.ts'

interface ChoiceProps {
  /** The list of the forms that a value may have. */
  readonly selector: ComponentChildren
  readonly optionSchemaField: ComponentChildren
  readonly schema: Values
  readonly uiSchema?: Values
}

/** A value that may have one of several forms. The library gives the list of the forms no name. */
export function Choice({ selector, optionSchemaField, schema, uiSchema = {} }: ChoiceProps) {
  const title = uiSchema['ui:title'] ?? schema['title']
  return (
    <>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the list is in it */}
      <label class="form-group">
        {typeof title === 'string' ? title : t('formChoice')}
        {selector}
      </label>
      {optionSchemaField}
    </>
  )
}
