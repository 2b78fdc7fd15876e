import type { ConfigOptions } from '../options.ts'

export { settingsCommand } from './command.ts'
export type { SettingsOptions } from './options.ts'

/** Loads the form in the terminal only for the command that needs it. */
export async function editAgent(id: string, options: ConfigOptions): Promise<number> {
  return (await import('./edit-agent.ts')).editAgentCommand(id, options)
}
