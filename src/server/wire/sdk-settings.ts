import { defined } from './defined.ts'
import type { Fields } from './fields.ts'
import type { RequestSettings } from './protocol.ts'

const TOOL_CHOICES = ['auto', 'none', 'required'] as const

/** Reads settings under their AI SDK names, for protocols that define no names of their own. */
export function sdkSettings(fields: Fields): RequestSettings {
  return defined({
    temperature: fields.number('temperature', 0, 2),
    top_p: fields.number('topP', 0, 1),
    max_output_tokens: fields.integer('maxOutputTokens', 1),
    stop: fields.texts('stopSequences'),
    seed: fields.integer('seed', Number.MIN_SAFE_INTEGER),
    tool_choice: fields.oneOf('toolChoice', TOOL_CHOICES),
  })
}

/**
 * Reads the id of the agent from a request of a chat UI.
 * @throws {HostError} REQUEST_INVALID if the request names a model instead
 */
export function agentIn(fields: Fields): string | undefined {
  if (fields.any('model') === undefined) return fields.text('agent')
  throw fields.fault('model', 'is unknown here; name a published model in "agent"')
}
