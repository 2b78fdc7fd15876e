import { createExchange, type State } from '../model-api/exchange.ts'
import { connect } from './client.ts'
import { MESSAGES } from './messages/format.ts'
import { modelsOf } from './models.ts'

export const exchange = createExchange<State>({
  connect,
  models: '/v1/models?limit=1000',
  init: (config) => ({ api: 'messages', model: config.model ?? modelsOf(config)[0] ?? '' }),
  formatOf: () => MESSAGES,
})
