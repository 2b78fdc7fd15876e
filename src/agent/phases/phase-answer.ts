import { faultIn } from '@braidwork/core/internal'
import {
  findJsonFault,
  type HookRequest,
  HostError,
  isObject,
  type PhaseAnswer,
} from '@braidwork/plugin'
import type { Declarations } from './declarations.ts'
import type { RunState } from './run-state.ts'

/** An answer of a feature in a phase, checked. */
export interface CheckedAnswer extends PhaseAnswer {
  readonly plugin: string
}

const requests = {
  type: 'array',
  items: {
    type: 'object',
    properties: { key: { type: 'string' }, input: true },
    required: ['key'],
    additionalProperties: false,
  },
} as const

const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    state: { type: 'object' },
    actions: requests,
    effects: requests,
    end: {
      type: 'object',
      properties: { detail: { type: 'string' }, blocked: { type: 'boolean' } },
      required: ['detail'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const

/**
 * Checks an answer: what it writes, and that its keys are known when it submits them. AW-62
 * @throws {HostError} HOOK_ANSWER_INVALID
 */
export async function checkAnswer(
  { plugin, hook }: { readonly plugin: string; readonly hook: string },
  value: object,
  { state, declarations }: { readonly state: RunState; readonly declarations: Declarations },
): Promise<CheckedAnswer> {
  const answer: PhaseAnswer = value
  const { pointer, message: shape } = (await shapeFault(value)) ?? {}
  const fault =
    shape ??
    state.faultOf({ plugin, values: answer.state ?? {} }) ??
    unknownKey('actions', answer.actions, declarations) ??
    unknownKey('effects', answer.effects, declarations)
  if (fault === undefined) return { ...answer, plugin }
  const message = `The hook "${hook}" of the feature "${plugin}" gave an invalid answer: ${fault}.`
  throw new HostError('HOOK_ANSWER_INVALID', message, { plugin, hook, pointer })
}

/**
 * Refuses an answer of a hook that cannot act on the run: it would be ignored. Anything else may be returned.
 * @throws {HostError} HOOK_ANSWER_INVALID
 */
export function assertNoAnswer(plugin: string, hook: string, value: unknown): void {
  const key = isObject(value) && Object.keys(ANSWER_SCHEMA.properties).find((one) => one in value)
  if (!key) return
  const message = `"${hook}" of the feature "${plugin}" answered with "${key}", which has no effect there. Answer so in the hook of a phase, such as "runStart".`
  throw new HostError('HOOK_ANSWER_INVALID', message, { plugin, hook, pointer: `/${key}` })
}

async function shapeFault(value: object) {
  const fault = findJsonFault(value)
  if (fault) return { pointer: fault.pointer, message: fault.reason }
  return faultIn(ANSWER_SCHEMA, value)
}

function unknownKey(
  name: 'actions' | 'effects',
  requested: readonly HookRequest[] = [],
  declarations: Declarations,
): string | undefined {
  const unknown = requested.find(({ key }) => !declarations[name].has(key))
  return unknown && `no feature has "${unknown.key}" in its "${name}"`
}
