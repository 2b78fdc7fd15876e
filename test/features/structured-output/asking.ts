import { expect } from 'chai'
import structuredOutput from '../../../features/structured-output/index.ts'
import {
  type ConfigLayer,
  createHost,
  type HostError,
  type Message,
  type StreamEvent,
} from '../../../src/core/index.ts'
import type { ResponseFormat } from '../../../src/plugin/index.ts'
import { collect, textEvents } from '../../helpers/hosts.ts'
import { eventProvider } from '../../helpers/plugins.ts'

export const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
}

export function formatOf(schema: object): ResponseFormat {
  return { type: 'json-schema', schema: { ...schema } }
}

export function configOf(format: ResponseFormat, more: ConfigLayer = {}): ConfigLayer {
  return { enabled_plugins: ['structured-output'], response_format: format, ...more }
}

export interface Answer {
  readonly events: readonly object[]
  readonly format?: ResponseFormat
  readonly config?: ConfigLayer
  /** Of the provider. */
  readonly tags?: readonly string[]
}

export interface Answered {
  readonly messages: readonly Message[]
  readonly events: readonly StreamEvent[]
  readonly warnings: readonly string[]
  readonly error?: HostError
}

/** One answer, in stream and in send: both end in the same finals, or in the same error. CL-42 */
export async function answered({
  events: said,
  format = formatOf(CITY),
  config = {},
  tags = ['structured-output'],
}: Answer): Promise<Answered> {
  const host = await createHost({
    plugins: [eventProvider(said, { tags }), structuredOutput],
    config: configOf(format, config),
  })
  const stream = host.stream({}, 'Where?')
  const events = await collect(stream)
  const { messages, warnings, error } = await stream.result
  const sent = await host.send({}, 'Where?').catch((thrown: HostError) => thrown)
  await host.close()
  if (sent instanceof Error) expect(sent.toJSON()).to.deep.equal(error?.toJSON())
  else expect(sent.messages).to.deep.equal(messages)
  return { messages, events, warnings, ...(error ? { error } : {}) }
}

export function said(text: string, metadata?: object): readonly object[] {
  return [...textEvents(text), ...(metadata ? [{ type: 'metadata', metadata }] : [])]
}

/** The final of an answer that is valid. */
export async function finalOf(text: string, format?: ResponseFormat): Promise<Message> {
  const { messages, error } = await answered({ events: said(text), ...(format ? { format } : {}) })
  expect(error?.message).to.equal(undefined)
  return messages[0] as Message
}

/** What is wrong with an answer that is not. */
export async function faultOf(text: string, format?: ResponseFormat): Promise<string> {
  const { error } = await answered({ events: said(text), ...(format ? { format } : {}) })
  expect(error).to.include({ code: 'OUTPUT_INVALID' })
  return error?.message ?? ''
}
