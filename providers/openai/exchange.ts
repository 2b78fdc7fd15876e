import { profileAt, type State, settingsOf } from '@braidwork/model-api'
import {
  createEmbedding,
  createExchange,
  type Embed,
  type Exchange,
  samplingOf,
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
    const settings = settingsOf<OpenAISettings>(config, OPENAI)
    const profile = profileAt(OPENAI, settings)
    if (api === 'chat') return openaiChat(profile)
    const { stop = [] } = samplingOf(config, settings)
    return responsesFormat(
      profile,
      [stop].flat().filter((text) => text !== ''),
    )
  },
})
