export {
  type AnswerBefore,
  answerBefore,
  askingAgain,
  continuing,
  introducing,
  numberingOn,
  replaying,
} from './answer-before.ts'
export { answerGroups } from './answer-groups.ts'
export { Approvals } from './approvals.ts'
export { newestBelow } from './branch.ts'
export { importHistory } from './import-history.ts'
export { Interrupted } from './interrupted.ts'
export { type PastRequestQuery, pastRequest } from './past-request.ts'
export { isAnswer } from './path.ts'
export { Turns } from './turns.ts'
