import { createExchange, type State } from '../model-api/exchange.ts'
import { settingsOf } from '../model-api/settings.ts'
import { CHAT } from './chat.ts'
import { connect } from './client.ts'
import { modelsOf } from './models.ts'
import { OPENAI } from './profile.ts'
import { RESPONSES } from './responses/format.ts'
import type { OpenAISettings } from './settings.ts'

export interface OpenAIState extends State {
  readonly api: 'responses' | 'chat'
}

export const exchange = createExchange<OpenAIState>({
  connect,
  models: '/models',
  init: (config) => {
    const { api = 'responses' } = settingsOf<OpenAISettings>(config, OPENAI)
    return { api, model: config.model ?? modelsOf(config)[0] ?? '' }
  },
  formatOf: ({ api }) => (api === 'chat' ? CHAT : RESPONSES),
})
