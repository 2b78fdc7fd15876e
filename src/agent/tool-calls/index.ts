export { CallRunner, type CallRunnerParts } from './call-runner.ts'
export { unknownOutcome } from './left-call.ts'
export { isClientCall } from './phases.ts'
export { endEventOf } from './tool-call.ts'
