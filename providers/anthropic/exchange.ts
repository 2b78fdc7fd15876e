import type { State } from '@braidwork/model-api'
import { createExchange, type Exchange } from '@braidwork/model-api/exchange'
import { connect } from './client.ts'
import { MESSAGES } from './messages/format.ts'
import { modelOf } from './models.ts'

export const exchange: Exchange<State> = createExchange({
  connect,
  models: '/v1/models?limit=1000',
  init: (config) => ({ api: 'messages', model: modelOf(config) }),
  formatOf: () => MESSAGES,
})
