export { type A2aBackendOptions, a2aBackend } from './backend.ts'
