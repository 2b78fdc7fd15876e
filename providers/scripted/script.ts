import type { FinishReason, JsonObject } from '@braidwork/plugin'
import {
  type Check,
  isEither,
  isFlag,
  isJson,
  isListOf,
  isNumber,
  isOneOf,
  isRecord,
  isShape,
  isText,
} from './checks.ts'
import { FAULT_ERRORS, type FaultErrorName, settingError } from './errors.ts'
import type { NativeUsage } from './native.ts'

/** A simulated fault, and when it occurs. */
export interface Fault {
  readonly type: FaultErrorName | 'stall'
  /** Seconds, like an API's `retry-after` header. */
  readonly retry_after?: number
  /** The number of chunks before the fault; by default 0. */
  readonly after_chunks?: number
  /** How often it occurs in a conversation; by default always. */
  readonly times?: number
}

/** The conditions of a rule. All that are given must hold. */
export interface When {
  /** A part of the last user message, case-insensitive. */
  readonly text?: string
  /** The whole last user message, case-insensitive. */
  readonly equals?: string
  /** The tool whose result came last. */
  readonly tool?: string
  /** 1 for the first answer to a user message, 2 after the first tool results, and so on. */
  readonly step?: number
}

export interface ScriptCall {
  readonly name: string
  readonly input?: unknown
  /** Text instead of `input`, to simulate a model whose arguments are not JSON. */
  readonly arguments?: string
  /** The result, if the provider executes the call itself. */
  readonly output?: unknown
  readonly is_error?: boolean
}

/** The answer of a rule. Without content, the answer from the transcript is used with the other fields changed. */
export interface Then {
  readonly reasoning?: string
  readonly text?: string
  readonly sources?: readonly JsonObject[]
  readonly files?: readonly {
    readonly media_type: string
    readonly name?: string
    readonly data?: string
    readonly url?: string
  }[]
  readonly data?: readonly { readonly name: string; readonly data: unknown }[]
  readonly tool_calls?: readonly ScriptCall[]
  readonly finish_reason?: FinishReason
  readonly usage?: NativeUsage
  /** The sizes of text pieces in characters, used in rotation; by default one word each. */
  readonly chunks?: number | readonly number[]
  readonly fault?: Fault | Fault['type']
  readonly metadata?: JsonObject
}

export interface Rule {
  readonly when?: When
  readonly then: Then
}

const FINISH_REASONS = ['stop', 'length', 'tool-calls', 'content-filter', 'error', 'other']
const FAULTS = [...Object.keys(FAULT_ERRORS), 'stall']

const isFault = isEither(
  'string',
  isOneOf(FAULTS),
  isShape(
    {
      type: isOneOf(FAULTS),
      retry_after: isNumber(0, { whole: false }),
      after_chunks: isNumber(0),
      times: isNumber(1),
    },
    ['type'],
  ),
)

const isUsage: Check = (value, pointer) => {
  const count = isNumber(0)
  isShape({ input: count, output: count, reasoning: count, cache_read: count, cache_write: count })(
    value,
    pointer,
  )
  const {
    input = Infinity,
    output = Infinity,
    reasoning = 0,
    cache_read = 0,
    cache_write = 0,
  } = value as NativeUsage
  if (reasoning > output)
    throw settingError(pointer, '"output" includes "reasoning" and cannot be less')
  if (cache_read + cache_write > input) {
    throw settingError(pointer, '"input" includes what is cached and cannot be less')
  }
}

const isCall = isShape(
  { name: isText, input: isJson, arguments: isText, output: isJson, is_error: isFlag },
  ['name'],
)

const isThen = isShape({
  reasoning: isText,
  text: isText,
  sources: isListOf(isRecord),
  files: isListOf(
    isShape({ media_type: isText, name: isText, data: isText, url: isText }, ['media_type']),
  ),
  data: isListOf(isShape({ name: isText, data: isJson }, ['name', 'data'])),
  tool_calls: isListOf(isCall),
  finish_reason: isOneOf(FINISH_REASONS),
  usage: isUsage,
  chunks: isEither('number', isNumber(1), isListOf(isNumber(1))),
  fault: isFault,
  metadata: isRecord,
})

const isWhen = isShape({ text: isText, equals: isText, tool: isText, step: isNumber(1) })
// biome-ignore lint/suspicious/noThenProperty: this is data, not a function, so nothing awaits it.
const isScript = isListOf(isShape({ when: isWhen, then: isThen }, ['then']))

/** @throws SETTINGS_INVALID with a pointer to the fault. */
export function readScript(value: unknown, pointer: string): readonly Rule[] {
  isScript(value, pointer)
  return value as readonly Rule[]
}

/** @throws SETTINGS_INVALID */
export function readFault(value: unknown, pointer: string): Fault {
  isFault(value, pointer)
  return asFault(value as Fault | Fault['type'])
}

/** Converts the short form, a fault's name, to a fault. */
export function asFault(fault: Fault | Fault['type']): Fault {
  return typeof fault === 'string' ? { type: fault } : fault
}
