/** Which tools an agent is offered, of those that its plugins have. */
export {
  type CatalogFault,
  type CatalogWarning,
  catalogFaults,
  catalogWarnings,
  type UnknownTools,
} from './catalog-faults.ts'
export { matcherOf, patternFault } from './pattern.ts'
export { type CatalogFields, type CatalogTool, ToolCatalog } from './tool-catalog.ts'
