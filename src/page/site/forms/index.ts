export type { FaultTree } from './custom-field.tsx'
export { SchemaForm } from './schema-form.tsx'
