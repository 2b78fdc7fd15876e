export { Notices } from './notices.ts'
export { Notifier } from './notifier.ts'
