export { SchemaForm } from './schema-form.tsx'
