import type { Fields } from './fields.ts'

/**
 * Reads the messages of a request that has its whole history in `messages`.
 * @throws {HostError} REQUEST_INVALID if there is none
 */
export function messagesIn(fields: Fields): readonly Fields[] {
  const given = fields.list('messages')
  if (given?.length === 0) throw fields.fault('messages', 'is empty; give at least one message')
  if (given) return given
  const isOther = fields.any('input') !== undefined
  const remedy = isOther ? ' in place of "input", the field of /v1/responses' : ''
  throw fields.fault('messages', `is missing; give at least one message${remedy}`)
}
