export { HostError } from './errors.ts'
