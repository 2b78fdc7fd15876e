import { profileAt, type State, settingsOf } from '@braidwork/model-api'
import {
  createEmbedding,
  createExchange,
  type Embed,
  type Exchange,
} from '@braidwork/model-api/exchange'
import { openaiChat } from './chat.ts'
import { connect } from './client.ts'
import { modelsOf } from './models.ts'
import { OPENAI } from './profile.ts'
import { responsesFormat } from './responses/format.ts'
import type { OpenAISettings } from './settings.ts'

export interface OpenAIState extends State {
  readonly api: 'responses' | 'chat'
}

export const embed: Embed = createEmbedding(connect)

export const exchange: Exchange<OpenAIState> = createExchange({
  connect,
  models: '/models',
  init: (config) => {
    const { api = 'responses' } = settingsOf<OpenAISettings>(config, OPENAI)
    return { api, model: config.model ?? modelsOf(config)[0] ?? '' }
  },
  formatOf: ({ api }, config) => {
    const profile = profileAt(OPENAI, settingsOf(config, OPENAI))
    return api === 'chat' ? openaiChat(profile) : responsesFormat(profile)
  },
})
