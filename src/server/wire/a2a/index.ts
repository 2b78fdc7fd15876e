export { a2aAnswersIn } from './answers.ts'
export { agentCard, type CardOptions } from './card.ts'
export {
  A2A_CAN_RESET,
  type A2aFormat,
  type A2aStreamOptions,
  a2aEncoder,
  a2aResult,
  type RpcId,
} from './encoder.ts'
export { a2aErrorAnswer, a2aRpcErrorAnswer, type RpcFailure } from './error.ts'
export { type A2aRequest, decodeA2aMessage } from './message.ts'
export {
  type GivenNotification,
  type NotificationConfig,
  noNotifications,
  notificationAnswer,
  notificationBody,
  notificationOf,
  notificationQueryIn,
} from './notifications.ts'
export { STATE_OF, type TaskQuery, taskIdIn, taskQueryIn } from './queries.ts'
export {
  type A2aOperation,
  assertRpc,
  decodeRpc,
  type RpcRequest,
  readsStreamOnly,
  rpcIdIn,
} from './rpc.ts'
export { answerIn, taskIn } from './spelling.ts'
export type { A2aTask } from './task.ts'
export { TaskView } from './task-view.ts'
export { A2A_VERSION_HEADER, type A2aVersion, a2aVersionIn } from './version.ts'
