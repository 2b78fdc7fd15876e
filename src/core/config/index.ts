export { canonical } from './canonical.ts'
export {
  allSettingsFaults,
  checkConfig,
  configDiagnostics,
  SETTINGS_CHECK,
  settingsFaults,
} from './check-config.ts'
export { checkReferring, unsetIn } from './check-referring.ts'
export { codeGenerationFault, isCodeForbidden } from './code-generation.ts'
export { CONFIG_SCHEMA } from './config-schema.ts'
export { echoesOf, isSecretName } from './echoes.ts'
export { fits, isFixed } from './fits.ts'
export { givenSettings, keepAdded } from './given-settings.ts'
export { jsonReason } from './json-reason.ts'
export { faultFinderOf, faultIn, validatorOf } from './json-schema.ts'
export { listIn } from './json-types.ts'
export {
  type ConfigLayer,
  fillReferences,
  type IdList,
  mergeLayers,
  stackLayers,
  type Variables,
  variablesIn,
  withLayer,
} from './layers.ts'
export { isQuick } from './quick-pattern.ts'
export { RecentConfigs } from './recent-configs.ts'
export { sameSchema } from './same-schema.ts'
export { isOn, type Mark, marksOf, pointerPath, referred, valueAt } from './secret-marks.ts'
export { mapTexts, Secrets } from './secrets.ts'
export { readableSettingsSchema, settingsSchemaOf, standardJsonSchema } from './settings-schema.ts'
export { withoutUnchecked } from './unchecked-patterns.ts'
export { fixedAt, meantBranch, tagsOf } from './union-branches.ts'
