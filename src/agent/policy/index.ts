/** Whether a call may run: one answer, with its source and reason. */
export { type Permission, permissionOf, type Restrictions } from './permission.ts'
export { RuleBook } from './rule-book.ts'
export {
  assertIdentity,
  assertInScope,
  expiryFault,
  inheritedIdentity,
  type RunIdentity,
  type RunScope,
  runIdentity,
} from './run-identity.ts'
export { narrowed, type RunRules } from './run-rules.ts'
