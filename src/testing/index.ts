export {
  checkPlugin,
  type PluginCheck,
  type PluginCheckOutcome,
  pluginChecks,
} from './plugin-checks.ts'
export type { TrialOptions } from './trial.ts'
