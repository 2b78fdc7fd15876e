export { chooseProvider, isOffByDefault, selectCandidates, serves } from './candidates.ts'
export {
  type EnabledPlugins,
  ID_LISTS,
  type Resolution,
  type ResolveOptions,
  RULES,
  type Rule,
  type TraceEntry,
} from './resolution.ts'
export { Resolved, resolve } from './resolve.ts'
export { askForTags } from './tags.ts'
