/** What differs between APIs that speak this format: names in messages and settings, and where it answers. */
export interface Profile {
  /** The plugin's name: the key of its settings, and of its facts in `providerMetadata`. */
  readonly name: string
  /** As its error messages call it. */
  readonly title: string
  /** The environment variable of its key. */
  readonly variable: string
  readonly baseUrl: string
  /** Its chat API's name for the limit on output tokens. */
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens'
}

export const OPENAI: Profile = {
  name: 'openai',
  title: 'OpenAI',
  variable: 'OPENAI_API_KEY',
  baseUrl: 'https://api.openai.com/v1',
  maxTokens: 'max_completion_tokens',
}
