import type { State } from '@braidwork/model-api'
import { chatFormat } from '@braidwork/model-api/chat'
import {
  createEmbedding,
  createExchange,
  type Embed,
  type Exchange,
  providerError,
} from '@braidwork/model-api/exchange'
import type { Config } from '@braidwork/plugin'
import { connect } from './client.ts'
import { modelsOf } from './models.ts'
import { presetOf, serverOf } from './server.ts'

export const embed: Embed = createEmbedding(connect)

export const exchange: Exchange<State> = createExchange({
  connect,
  models: '/models',
  init: (config) => ({ api: 'chat', model: modelOf(config) }),
  formatOf: ({ model }, config) => chatFormat(serverOf(config, model)),
})

/**
 * The model of the config, or the first that is offered; empty where neither names one.
 * @throws CONFIG_INVALID if there is none and the server needs one
 */
function modelOf(config: Config): string {
  const model = config.model ?? modelsOf(config)[0] ?? ''
  const { needsModel = false, title = '' } = presetOf(config) ?? {}
  if (model !== '' || !needsModel) return model
  const message = `The config names no model for ${title}. Set "model" (--model NAME of the command); "braidwork models --refresh" lists the models of the server.`
  throw providerError('CONFIG_INVALID', message, { pointer: '/model', retryable: false })
}
