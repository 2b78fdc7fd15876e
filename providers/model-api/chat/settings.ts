import { withGerman } from '../german.ts'
import { type ConnectionSettings, neutral } from '../settings.ts'

/** The settings of a provider with a chat completions API. */
export interface ChatSettings extends ConnectionSettings {
  readonly strict_tools?: boolean
}

const penalty = { type: 'number', minimum: -2, maximum: 2 }

/** The schemas of the neutral settings that only APIs of OpenAI's kind have. */
export const CHAT_SAMPLING = withGerman({
  presence_penalty: neutral('Penalty for tokens that occurred', penalty),
  frequency_penalty: neutral('Penalty for tokens that occurred often', penalty),
  logit_bias: neutral('Bias of tokens, by their ids', {
    type: 'object',
    additionalProperties: { type: 'number', minimum: -100, maximum: 100 },
  }),
  user: neutral('Id of the end user, for the API', { type: 'string' }),
  metadata: neutral('Metadata of stored answers', {
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
})
