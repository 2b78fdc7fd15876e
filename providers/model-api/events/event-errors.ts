import { isObject, type JsonObject } from '@braidwork/plugin'

/** The error in an event: in its member `error`, or recognized by its type or name. */
export function errorIn(event: JsonObject, name: string | undefined): unknown {
  const { type, error, object, x_groq: own, choices } = event
  if (error) return error
  if (type === 'response.failed') return failureIn(event['response'])
  if (isObject(own) && own['error']) return own['error']
  const failed = Array.isArray(choices) ? choices.find(hasError) : undefined
  if (failed) return failed['error']
  return object === 'error' || type === 'error' || name === 'error' ? event : undefined
}

function failureIn(response: unknown): unknown {
  const error = isObject(response) ? response['error'] : undefined
  return error ?? { message: 'the response failed' }
}

function hasError(choice: unknown): choice is JsonObject {
  return isObject(choice) && Boolean(choice['error'])
}
