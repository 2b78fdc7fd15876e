import { HostError } from '@braidwork/plugin'
import type { RouteContext } from '../context.ts'
import type { HeldItem } from '../wire/responses/index.ts'

const USUAL = 20
const MOST = 100

/**
 * Returns the page of a list of items that a request asks for, newest first by default.
 * @throws {HostError} REQUEST_INVALID
 */
export function pageOf(items: readonly HeldItem[], c: RouteContext): object {
  const order = c.req.query('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalid('order', 'must be asc or desc')
  const limit = Number(c.req.query('limit') ?? USUAL)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST) {
    throw invalid('limit', `must be a whole number from 1 to ${MOST}`)
  }
  const all = items.map(({ item }) => item)
  if (order === 'desc') all.reverse()
  const after = c.req.query('after')
  const at = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && at === 0)
    throw invalid('after', 'must be the id of an item of the list')
  const data = all.slice(at, at + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: at + limit < all.length,
  }
}

function invalid(name: string, fault: string): HostError {
  return new HostError('REQUEST_INVALID', `"${name}" ${fault}.`, { pointer: `/${name}` })
}
