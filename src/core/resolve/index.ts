export { chooseProvider, selectCandidates } from './candidates.ts'
export { applyEdits, type Edit } from './change.ts'
export { type ExplainedTag, type ExplainOptions, type Explanation, explain } from './explain.ts'
export {
  type EnabledPlugins,
  ID_LISTS,
  type Resolution,
  type ResolveOptions,
  RULES,
  type Rule,
  type TraceEntry,
} from './resolution.ts'
export { type Resolved, resolve } from './resolve.ts'
