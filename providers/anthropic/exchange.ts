import { profileAt, type State, settingsOf } from '@braidwork/model-api'
import { createExchange, type Exchange, type Profile } from '@braidwork/model-api/exchange'
import type { Config } from '@braidwork/plugin'
import { connect } from './client.ts'
import { messagesFormat } from './messages/format.ts'
import { modelOf } from './models.ts'
import { ANTHROPIC } from './profile.ts'

export const exchange: Exchange<State> = createExchange({
  connect,
  models: '/v1/models?limit=1000',
  init: (config) => ({ api: 'messages', model: modelOf(config) }),
  formatOf: (_state, config) => messagesFormat(profileOf(config)),
})

/** The profile with the server of the config. */
function profileOf(config: Config): Profile {
  return profileAt(ANTHROPIC, settingsOf(config, ANTHROPIC))
}
