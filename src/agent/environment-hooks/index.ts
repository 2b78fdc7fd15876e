/** What the program around a runtime offers to its agents: tools, scope, messages, events, instructions. */
export { type AgentEnvironment, completeEnvironment } from './agent-environment.ts'
export type { EnvironmentHook, HookCall } from './environment-hook.ts'
export {
  type AgentEvent,
  EventFeed,
  type MissedEvents,
  type SubscribeOptions,
  type Subscription,
} from './event-feed.ts'
export { askedEnvironment, assertEnvironmentAnswer } from './hook-failure.ts'
export { callerTools, type HookTool, scopeReason } from './hook-tools.ts'
export { EnvironmentHooks, guarded, HOOK_MEMBERS } from './hooks.ts'
export { isInserted } from './inserted.ts'
export { type InstructionsFile, isInstructionsFile, wrappedInstructions } from './instructions.ts'
