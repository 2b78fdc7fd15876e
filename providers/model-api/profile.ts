/** An API as messages, settings and errors name it, and where it answers. */
export interface Profile {
  /** The plugin's name: the key of its settings, and of its facts in `providerMetadata`. */
  readonly name: string
  /** As its error messages call it. */
  readonly title: string
  /** The environment variable of its key. */
  readonly variable: string
  readonly baseUrl: string
  /** Where the key stands in the settings; `api_key` unless said otherwise. */
  readonly keySetting?: string
  /** Servers behind one plugin: what one of them keeps private in a message is not told to another. */
  readonly server?: string
}

/** What to set where a key is missing or refused. */
export function keyAdvice({ name, variable, keySetting = 'api_key' }: Profile): string {
  return `Set settings.${name}.${keySetting}, or the environment variable ${variable}.`
}
