/** The options of the commands that add and update plugins. */
export interface PluginsAddOptions {
  /** Names of additional environment variables that installers and builds of Python packages see. */
  readonly env?: readonly string[]
  /** Whether to install a package without asking. */
  readonly yes?: boolean
}
