// The package's index imports a validator that the page does not have.
import RjsfForm from '@rjsf/core/lib/components/Form.js'
import type { ComponentChildren, ComponentType } from 'preact'
import type { FaultTree, Values } from '../server/index.ts'
import { Choice } from './choice.tsx'
import { focusField } from './focus-field.ts'
import { JsonField } from './json-field.tsx'
import { LABEL_TEMPLATES } from './labels.tsx'
import { LinesField } from './lines-field.tsx'
import { LIST_TEMPLATES } from './list.tsx'
import { NumberField } from './number-field.tsx'
import { translated } from './translated.ts'
import { validator } from './validator.ts'
import './forms.css'

interface SchemaFormProps {
  readonly schema: Values
  readonly uiSchema?: Values
  readonly data: unknown
  /** What the server found wrong, shown at the fields. */
  readonly faults?: FaultTree
  readonly isReadOnly?: boolean
  readonly onChange?: (data: unknown) => void
  readonly onSubmit: (data: unknown) => void
  /** The buttons. One of them submits. */
  readonly children: ComponentChildren
  /** Begins the ids of all fields. */
  readonly prefix: string
}

interface Told {
  readonly formData?: unknown
}

/** A fault, and its place in the data, such as `.a.b`. */
interface Placed {
  readonly property?: string
}

/** The props of react-jsonschema-form that this page uses. It is written for React, and runs on preact. */
const Form = RjsfForm as unknown as ComponentType<{
  schema: Values
  uiSchema: Values
  formData: unknown
  validator: typeof validator
  extraErrors: FaultTree
  readonly: boolean
  fields: object
  templates: object
  translateString: typeof translated
  onChange: (told: Told) => void
  onSubmit: (told: Told) => void
  onError: () => void
  idPrefix: string
  noHtml5Validate: boolean
  showErrorList: false
  focusOnFirstError: (fault: Placed) => void
  experimental_defaultFormStateBehavior: object
  children: ComponentChildren
}>

/** The data holds its defaults already, so a field that a person empties stays empty. */
const DEFAULTS = { emptyObjectFields: 'skipDefaults' }

/** The fields of the page: those that a layout names in `ui:field`, and those in place of the library's. */
const FIELDS = { json: JsonField, lines: LinesField, NumberField }
const TEMPLATES = { ...LIST_TEMPLATES, ...LABEL_TEMPLATES, MultiSchemaFieldTemplate: Choice }
const NO_FAULTS: FaultTree = {}

/** A form for the values that a JSON Schema describes. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, uiSchema = {}, data, onChange, onSubmit, children, prefix } = props
  const { faults = NO_FAULTS, isReadOnly = false } = props
  return (
    <Form
      schema={schema}
      uiSchema={uiSchema}
      formData={data}
      validator={validator}
      extraErrors={faults}
      readonly={isReadOnly}
      fields={FIELDS}
      templates={TEMPLATES}
      translateString={translated}
      onChange={({ formData }) => onChange?.(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
      // The fields tell what is wrong. Without this, the console would too.
      onError={() => undefined}
      idPrefix={prefix}
      noHtml5Validate
      showErrorList={false}
      focusOnFirstError={({ property = '' }) => focusField(prefix, property)}
      experimental_defaultFormStateBehavior={DEFAULTS}
    >
      {children}
    </Form>
  )
}
