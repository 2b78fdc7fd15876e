export { newCommand } from './command.ts'
export type { NewOptions } from './wanted.ts'
