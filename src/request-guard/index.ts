export { isLoopback, isPublic } from './addresses.ts'
export { GuardError } from './guard-error.ts'
export { requestTo, responseOf } from './pinned-request.ts'
export { type Allowed, checkTarget, isPrivateHost, type Resolve, type Target } from './target.ts'
