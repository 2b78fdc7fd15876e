/** Exports for the other packages of Braidwork only. They may change with any version. */

export {
  type CompiledValidator,
  compiledValidator,
  registerValidator,
} from './compiled-validators.ts'
export {
  DEFAULT_LIMITS,
  type KnownConfig,
  limitsOf,
  REASONING_EFFORTS,
  TOOL_POLICIES,
} from './config.ts'
export { type ContextOf, createContexts, SCOPE } from './context.ts'
export {
  asSentence,
  type ErrorPlace,
  messageOf,
  toHostError,
  withFacts,
  withMessage,
} from './errors.ts'
export { frozenCopy, inputOf, SealedMessages } from './events/index.ts'
export type { AnswerShape } from './hook.ts'
export { limitOf } from './hooks.ts'
export { missingPackage, toMissingPackage } from './missing-package.ts'
export type { AnyPlugin } from './plugin.ts'
export type { PluginValue } from './values.ts'
export { loadedVersions } from './version.ts'
