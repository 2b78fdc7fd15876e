export { settingsCommand } from './command.ts'
export type { SettingsOptions } from './options.ts'
