import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import type { BodyLimits } from '../options/index.ts'
import { JsonScan } from './json-scan.ts'

type Counted = 'messages' | 'parts' | 'calls' | 'tools' | 'values'

/** The fields in which protocols send messages or items. */
const HISTORIES = ['messages', 'input', 'items'] as const
/** The fields in which messages have lists of parts. */
const PARTS = ['content', 'parts', 'summary', 'output'] as const
/** The fields in which messages have lists of calls. */
const CALLS = ['tool_calls', 'toolCalls'] as const
/** The types of parts and items that are tool calls. */
const CALL = /^(?:tool_use|server_tool_use|function_call|custom_tool_call|dynamic-tool|tool-.*)$/

/** The fields of messages and calls whose text is itself parsed as JSON. */
const TEXTS = ['arguments', 'encryptedValue', 'encrypted_content'] as const

/**
 * Checks a request against the server's limits before it is decoded.
 * @param scanned the counts of the body's text; values inside JSON texts are added here
 * @throws {HostError} REQUEST_TOO_LARGE with the name of the limit, and a pointer
 */
export function checkSize(body: unknown, scanned: JsonScan, limits: BodyLimits): void {
  if (!isObject(body)) return
  for (const name of HISTORIES) {
    const history = body[name]
    if (!Array.isArray(history)) continue
    checkHistory(history, `/${name}`, limits)
    if (scanned.values + valuesInTexts(history) <= limits.values) continue
    throw tooMany('values', `/${name}`, limits)
  }
  const { tools } = body
  const offered = isObject(tools) ? Object.keys(tools).length : toolsIn(tools)
  if (offered > limits.tools) throw tooMany('tools', '/tools', limits)
}

function checkHistory(history: readonly unknown[], pointer: string, limits: BodyLimits): void {
  if (history.length > limits.messages) throw tooMany('messages', pointer, limits)
  let parts = 0
  let calls = 0
  for (const message of history) {
    if (!isObject(message)) continue
    const lists = listsIn(message, PARTS)
    parts += Math.max(1, sumOf(lists))
    calls += Number(isCall(message)) + sumOf(listsIn(message, CALLS)) + callsIn(lists)
    if (parts > limits.parts) throw tooMany('parts', pointer, limits)
    if (calls > limits.calls) throw tooMany('calls', pointer, limits)
  }
}

function listsIn(message: JsonObject, names: readonly string[]): readonly (readonly unknown[])[] {
  return names.flatMap((name) => {
    const list = message[name]
    return Array.isArray(list) ? [list] : []
  })
}

function sumOf(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((sum, list) => sum + list.length, 0)
}

function callsIn(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((sum, list) => sum + list.filter(isCall).length, 0)
}

function valuesInTexts(history: readonly unknown[]): number {
  const scan = new JsonScan()
  for (const message of history) {
    if (!isObject(message)) continue
    scanTexts(message, scan)
    for (const call of listsIn(message, CALLS).flat()) {
      if (!isObject(call)) continue
      scanTexts(call, scan)
      if (isObject(call['function'])) scanTexts(call['function'], scan)
    }
  }
  return scan.values
}

function scanTexts(fields: JsonObject, scan: JsonScan): void {
  for (const name of TEXTS) {
    const text = fields[name]
    if (typeof text === 'string') scan.addWhole(text)
  }
}

function isCall(value: unknown): boolean {
  return isObject(value) && typeof value['type'] === 'string' && CALL.test(value['type'])
}

/** Counts the tools of a list, with those of namespaces. */
function toolsIn(tools: unknown): number {
  if (!Array.isArray(tools)) return 0
  const all: readonly unknown[] = tools
  return all.reduce<number>((sum, tool) => sum + Math.max(1, inNamespace(tool)), 0)
}

function inNamespace(tool: unknown): number {
  return isObject(tool) && Array.isArray(tool['tools']) ? tool['tools'].length : 0
}

function tooMany(what: Counted, pointer: string, limits: BodyLimits): HostError {
  const message = `The request has more than ${limits[what]} ${what}, the limit in the server's "limits.${what}".`
  return new HostError('REQUEST_TOO_LARGE', message, { pointer })
}
