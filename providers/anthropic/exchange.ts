import { createExchange, type State } from '../model-api/exchange.ts'
import { connect } from './client.ts'
import { MESSAGES } from './messages/format.ts'
import { modelOf } from './models.ts'

export const exchange = createExchange<State>({
  connect,
  models: '/v1/models?limit=1000',
  init: (config) => ({ api: 'messages', model: modelOf(config) }),
  formatOf: () => MESSAGES,
})
