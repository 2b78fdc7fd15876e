import { isObject, type JsonObject } from '@braidwork/plugin'
import type { Client } from '@modelcontextprotocol/client'
import { Problem } from '../problem.ts'

/** An entry of a server's list, not checked. */
export type Listed = JsonObject

const MOST_PAGES = 200
const MOST_ENTRIES = 5_000

type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list'

/** Accepts any result: one entry with a fault must not take the others with it. */
const ANY = {
  '~standard': { version: 1, vendor: 'braidwork', validate: (value: unknown) => ({ value }) },
} as const

/** The code of JSON-RPC for a method that there is not. */
const METHOD_NOT_FOUND = -32_601

/**
 * Reads all pages of a list. Entries that are no objects are left out. A server that does not know the list has none of
 * its entries. @throws {Problem}
 */
export async function listAll(
  client: Client,
  method: ListMethod,
  key: string,
  timeout: number,
): Promise<readonly Listed[]> {
  const entries: Listed[] = []
  const signal = AbortSignal.timeout(timeout)
  let cursor: unknown
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { params: { cursor: cursor as string } }
    const asked = client.request({ method, ...params }, ANY, { timeout, signal })
    const isFirst = cursor === undefined
    const result: unknown = await (isFirst ? asked.catch(unlessUnknown(key)) : asked)
    if (!isObject(result) || !Array.isArray(result[key]))
      throw new Problem(`its answer to "${method}" has no list "${key}"`)
    entries.push(...result[key].filter(isObject))
    if (entries.length > MOST_ENTRIES)
      throw new Problem(`its answers to "${method}" have more than ${MOST_ENTRIES} entries`)
    cursor = result['nextCursor']
    if (typeof cursor !== 'string') return entries
  }
  throw new Problem(`its answers to "${method}" have more than ${MOST_PAGES} pages`)
}

/** An empty list in place of the error of a server that does not know the list. */
function unlessUnknown(key: string): (error: unknown) => object {
  return (error) => {
    const { code }: { readonly code?: unknown } = Object(error)
    if (code !== METHOD_NOT_FOUND) throw error
    return { [key]: [] }
  }
}
