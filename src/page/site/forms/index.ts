export { focusFirstField } from './focus-field.ts'
export { SchemaForm } from './schema-form.tsx'
export { faultsInWords } from './validator.ts'
