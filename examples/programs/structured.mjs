// An answer as JSON that follows a schema.
import { createHost, textOf } from 'braidwork'

const host = await createHost({ plugins: ['scripted'] })
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days'],
  additionalProperties: false,
}
const config = { response_format: { type: 'json-schema', name: 'trip', schema } }
const { messages } = await host.send(config, 'Plan a trip.')
const trip = JSON.parse(messages.map(textOf).join(''))
console.log(Object.keys(trip), typeof trip.city, Number.isInteger(trip.days))
await host.close()
