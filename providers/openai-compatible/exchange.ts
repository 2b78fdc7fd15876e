import type { State } from '@braidwork/model-api'
import { chatFormat } from '@braidwork/model-api/chat'
import {
  createEmbedding,
  createExchange,
  type Embed,
  type Exchange,
} from '@braidwork/model-api/exchange'
import { connect } from './client.ts'
import { modelsOf } from './models.ts'
import { serverOf } from './server.ts'

export const embed: Embed = createEmbedding(connect)

export const exchange: Exchange<State> = createExchange({
  connect,
  models: '/models',
  init: (config) => ({ api: 'chat', model: config.model ?? modelsOf(config)[0] ?? '' }),
  formatOf: ({ model }, config) => chatFormat(serverOf(config, model)),
})
