import type { ConfigOptions } from '../options.ts'
import type { TerminalForm } from './terminal-form.ts'

export { settingsCommand } from './command.ts'
export type { SettingsOptions } from './options.ts'

/** Loads the form in the terminal only for the command that needs it. */
export async function editAgent(id: string, options: ConfigOptions): Promise<number> {
  return (await import('./edit-agent.ts')).editAgentCommand(id, options)
}

/** Opens a form in the terminal, and loads it only then. The caller disposes of it. */
export async function openForm(): Promise<TerminalForm> {
  return new (await import('./terminal-form.ts')).TerminalForm()
}
