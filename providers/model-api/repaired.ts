import type { Context, JsonObject } from '@braidwork/plugin'
import type { StreamFormat } from './format.ts'

/** The place in `context.local` of a request that was sent in another form. */
const KEY = 'repaired'

/** Whether the API refused the request as it was, and answered it in another form. */
export function isRepaired({ local }: Pick<Context, 'local'>): boolean {
  return local.has(KEY)
}

/** Sends a body. If the API refuses it and the format knows a form that the API takes, sends that, once. */
export async function sendRepaired<T>(
  format: StreamFormat,
  body: JsonObject,
  context: Context,
  send: (body: JsonObject) => Promise<T>,
): Promise<T> {
  try {
    return await send(body)
  } catch (error) {
    const repair = format.repair?.(body, error)
    if (!repair) throw error
    context.warn(repair.warning)
    context.local.set(KEY, true)
    return send(repair.body)
  }
}
