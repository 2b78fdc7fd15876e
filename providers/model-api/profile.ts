/** The names of an API in messages, settings and errors, and its address. */
export interface Profile {
  /** The plugin's name: the key of its settings, and of its facts in `providerMetadata`. */
  readonly name: string
  /** The name used in error messages. */
  readonly title: string
  /** The environment variable that contains the key. */
  readonly variable: string
  readonly baseUrl: string
  /** Where the key stands in the settings; by default `['api_key']`. */
  readonly keySetting?: readonly string[]
  /** The server's id: private data of one is not sent to another. */
  readonly server?: string
  /** The seconds to wait for response headers, if the config does not say; by default 30. */
  readonly connect?: number
}

/** Advice for a missing or refused key. */
export function keyAdvice({ name, variable, keySetting = ['api_key'] }: Profile): string {
  return `Set settings.${[name, ...keySetting].join('.')}, or the environment variable ${variable}.`
}
