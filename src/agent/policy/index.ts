/** Whether a call may run: one answer, with its source and reason. */
export { type Permission, permissionOf } from './permission.ts'
export { RuleBook } from './rule-book.ts'
export { narrowed, type RunRules } from './run-rules.ts'
