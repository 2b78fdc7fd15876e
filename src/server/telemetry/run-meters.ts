import type { Usage } from '@braidwork/plugin'
import type { Api, Attributes, Histogram } from './api.ts'
import { NAMESPACE } from './attributes.ts'

/** The attributes of measures: those with few values. */
const MEASURED = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.agent.name',
  'gen_ai.tool.name',
  'error.type',
]

export interface Measured {
  readonly seconds: number
  readonly usage?: Usage | undefined
}

/** The metrics of generative AI, for all runs. */
export class RunMeters {
  readonly #duration: Histogram
  readonly #tokens: Histogram

  constructor({ metrics }: Api) {
    const meter = metrics.getMeter(NAMESPACE)
    this.#duration = meter.createHistogram('gen_ai.client.operation.duration', {
      unit: 's',
      description: 'The time of a run, of a request to a model, or of a call',
    })
    this.#tokens = meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'The tokens of a request to a model',
    })
  }

  add(all: Attributes, { seconds, usage = {} }: Measured): void {
    const known = MEASURED.filter((name) => all[name] !== undefined)
    const attributes = Object.fromEntries(known.map((name) => [name, all[name]]))
    this.#duration.record(seconds, attributes)
    for (const type of ['input', 'output'] as const) {
      const count = usage[type]
      if (count !== undefined)
        this.#tokens.record(count, { ...attributes, 'gen_ai.token.type': type })
    }
  }
}
