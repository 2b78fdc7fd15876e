export {
  type DescribeOptions,
  describeExtension,
  describeFeature,
  describeProvider,
  describeTool,
  type Runner,
} from './describe.ts'
export {
  EXCHANGES_SCHEMA,
  type Exchange,
  type Recorder,
  readExchanges,
  recordExchanges,
  recordedApi,
} from './exchanges/index.ts'
export type { RecordedApi, SuiteOptions } from './harness/index.ts'
export {
  checkPlugin,
  type PluginCheck,
  type PluginCheckOutcome,
  pluginChecks,
} from './plugin-checks.ts'
export { type Suite, type SuiteCheck, suiteOf } from './suite.ts'
export type { TrialOptions } from './trial.ts'
