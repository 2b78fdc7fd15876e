export { focusFirstField } from './focus-field.ts'
export { addFormWords } from './form-words.ts'
export { SchemaForm } from './schema-form.tsx'
export { faultsInWords } from './validator.ts'
