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

/** What goes wrong, and when. */
export interface Fault {
  readonly type: FaultErrorName | 'stall'
  /** Seconds, as an API's `retry-after`. */
  readonly retry_after?: number
  /** Chunks that arrive before it; 0 unless said otherwise. */
  readonly after_chunks?: number
  /** How often in a conversation; always unless said otherwise. */
  readonly times?: number
}

/** When a rule holds: all that is said must be so. */
export interface When {
  /** A part of the last user message, in any case. */
  readonly text?: string
  /** The whole of the last user message, in any case. */
  readonly equals?: string
  /** The tool whose result came last. */
  readonly tool?: string
  /** 1 for the first answer to a user message, 2 after the first results, and so on. */
  readonly step?: number
}

export interface ScriptCall {
  readonly name: string
  readonly input?: unknown
  /** Text in place of `input`, as of a model whose arguments are no JSON. */
  readonly arguments?: string
  /** The provider ran it itself: its result. */
  readonly output?: unknown
  readonly is_error?: boolean
}

/** What is answered. Without any content, the transcript's answer with the rest changed. */
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
  /** Sizes of the pieces of text, in characters, over and over; words unless said otherwise. */
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
// biome-ignore lint/suspicious/noThenProperty: data, and no function: nothing waits for it.
const isScript = isListOf(isShape({ when: isWhen, then: isThen }, ['then']))

/** @throws SETTINGS_INVALID, with a pointer to what is wrong. */
export function readScript(value: unknown, pointer: string): readonly Rule[] {
  isScript(value, pointer)
  return value as readonly Rule[]
}

/** @throws SETTINGS_INVALID */
export function readFault(value: unknown, pointer: string): Fault {
  isFault(value, pointer)
  return asFault(value as Fault | Fault['type'])
}

/** A fault's name alone stands for that fault. */
export function asFault(fault: Fault | Fault['type']): Fault {
  return typeof fault === 'string' ? { type: fault } : fault
}
