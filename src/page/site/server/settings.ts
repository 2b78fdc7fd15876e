import type { Client } from './client.ts'

/** A JSON value that is an object. */
export interface Values {
  readonly [key: string]: unknown
}

/** A chat: the model or agent that answers, and its conversation if the server has one. */
export interface Place {
  readonly agent: string | undefined
  /** Absent for the settings of all chats of the person. */
  readonly conversationId: string | undefined
}

/** The settings of a place, as the server shows them for react-jsonschema-form. */
export interface SettingsView {
  readonly schema: Values
  readonly uiSchema: Values
  readonly formData: Values
  /** JSON pointers: after a change there, fields may come and go. */
  readonly recomputeOn: readonly string[]
  /** JSON pointers to all that the person may change. */
  readonly settable: readonly string[]
}

export interface SettingsChange {
  readonly data: Values
  /** JSON pointers to the values that are set no longer. */
  readonly unset: readonly string[]
}

/** The query that names a place to the server's routes. */
export function placeQuery({ agent, conversationId }: Place): string {
  const query = new URLSearchParams()
  if (agent !== undefined) query.set('agent', agent)
  if (conversationId !== undefined) query.set('conversation', conversationId)
  return `${query}`
}

/** @throws {ServerError} */
export function loadSettings(
  client: Client,
  place: Place,
  { locale, signal }: { readonly locale: string; readonly signal?: AbortSignal },
): Promise<SettingsView> {
  const path = `api/settings?format=rjsf&locale=${locale}&${placeQuery(place)}`
  return client.json(path, signal ? { signal } : {})
}

/**
 * Changes the settings of a place.
 * @param isTrial whether they are only tried, to see which fields there are then
 * @throws {ServerError}
 */
export function changeSettings(
  client: Client,
  place: Place,
  { change, locale, isTrial = false }: ChangeOptions,
): Promise<SettingsView> {
  const trial = isTrial ? '&trial=only' : ''
  const path = `api/settings?format=rjsf&locale=${locale}${trial}&${placeQuery(place)}`
  return client.json(path, { method: 'PUT', json: change })
}

interface ChangeOptions {
  readonly change: SettingsChange
  readonly locale: string
  readonly isTrial?: boolean
}

/** Forgets the settings of a place: those of all chats, or of the server, are there again. @throws {ServerError} */
export function forgetSettings(client: Client, place: Place): Promise<void> {
  return client.json(`api/settings?${placeQuery(place)}`, { method: 'DELETE' })
}

/** Whether a pointer leads to a value that may be set, or into one. */
export function maySet(settable: readonly string[], pointer: string): boolean {
  return settable.some((one) => pointer === one || pointer.startsWith(`${one}/`))
}
