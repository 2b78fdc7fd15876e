export { applyEdits, type Edit } from './change.ts'
export { type ExplainedTag, explain, type ExplainOptions, type Explanation } from './explain.ts'
export {
  type EnabledPlugins,
  ID_LISTS,
  type Resolution,
  type ResolveOptions,
  type Rule,
  RULES,
  type TraceEntry,
} from './resolution.ts'
export { type Resolved, resolve } from './resolve.ts'
