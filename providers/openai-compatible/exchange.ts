import { chatFormat } from '../model-api/chat/format.ts'
import { createExchange, type State } from '../model-api/exchange.ts'
import { connect } from './client.ts'
import { modelsOf } from './models.ts'
import { serverOf } from './server.ts'

export const exchange = createExchange<State>({
  connect,
  models: '/models',
  init: (config) => ({ api: 'chat', model: config.model ?? modelsOf(config)[0] ?? '' }),
  formatOf: ({ model }, config) => chatFormat(serverOf(config, model)),
})
