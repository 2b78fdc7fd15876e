export { CallRunner, type CallRunnerParts } from './call-runner.ts'
export { isClientCall } from './phases.ts'
