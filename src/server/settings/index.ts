export {
  callerFaults,
  changeFault,
  faultsOf,
  storedFault,
  toolSettingsFaults,
} from './caller-faults.ts'
export { guardedSettings, isAt, settableFaults } from './guarded-settings.ts'
export { assertModelSettings, modelSettingsFaults } from './model-settings.ts'
export { NEUTRAL, ownView, withLocked } from './own-settings.ts'
export { type ChangedSettings, changedSettings, type OwnLayer } from './settings-change.ts'
export { shownServerConfig } from './shown-config.ts'
export {
  copySettings,
  deleteSettings,
  type SettingsPlace,
  saveSettings,
  settingsAt,
  settingsFor,
} from './stored-settings.ts'
