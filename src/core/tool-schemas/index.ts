export { tellBroken } from './broken-schemas.ts'
export type { Lost } from './lost.ts'
export { inputMeant, lowerTools } from './lower-tools.ts'
export {
  type FormattedSchema,
  type Lower,
  type LoweredSchema,
  type LoweringOptions,
  lowering,
  TOOL_SCHEMA_FORMATS,
  type ToolSchemaFormat,
} from './lowering.ts'
export { answeredFormat, formatFault } from './named-format.ts'
export {
  type CallerTool,
  type HostTool,
  isOffered,
  loweredTool,
  modelSchemas,
  type OfferedTool,
  offerTools,
  type ToolSource,
} from './offered-tools.ts'
export { cleanName, LONGEST_NAME } from './tool-names.ts'
export { misspelledTools, type NamedTool, policyOf, unusedPolicies } from './tool-policy.ts'
export type { ReasonFacts, ToolReason } from './tool-reason.ts'
export { withoutNulls } from './without-nulls.ts'
