export { addRuns } from './run-commands.ts'
