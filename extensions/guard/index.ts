import type { Context, Extension, Message } from '@braidwork/plugin'
import { AnswerGuard } from './answer-guard.ts'
import { CONFIG_SCHEMA, type Rule, readRules } from './settings.ts'
import { textsOf } from './texts.ts'
import { findRule, stopError, warningOf } from './verdict.ts'

const RULES = 'rules'
const ANSWER = 'answer'

function rulesOf({ local }: Context, on: Rule['on'], action: Rule['action']): readonly Rule[] {
  const rules = (local.get(RULES) ?? []) as readonly Rule[]
  return rules.filter((rule) => rule.on === on && rule.action === action)
}

function answerOf({ local }: Context): AnswerGuard | undefined {
  const answer = local.get(ANSWER)
  return answer instanceof AnswerGuard ? answer : undefined
}

/** @throws CONTENT_FILTERED if a rule with the action "stop" matches the messages */
function judge(messages: readonly Message[], on: Rule['on'], context: Context): void {
  const texts = textsOf(messages)
  const stop = findRule(rulesOf(context, on, 'stop'), texts)
  if (stop) throw stopError(stop)
  for (const rule of rulesOf(context, on, 'warn')) {
    if (findRule([rule], texts)) context.warn(warningOf(rule))
  }
}

/**
 * Throws if an earlier chunk contained a match. The chunk with the match itself does not throw: an error would discard
 * the events of that chunk, and the reader must get the text before the match.
 */
function throwIfStopped(context: Context): void {
  const stop = answerOf(context)?.stop
  if (stop) throw stopError(stop)
}

export default {
  kind: 'extension',
  name: 'guard',
  // Off by default, since it changes the answer.
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,

  init(config, state, context) {
    context.local.set(RULES, readRules(config))
    const rules = rulesOf(context, 'answer', 'stop')
    if (rules.length > 0) context.local.set(ANSWER, new AnswerGuard(rules))
    return state
  },

  // At this point all plugins have edited the messages, and nothing has been sent.
  toNative(messages, native, context) {
    judge(messages, 'request', context)
    return native
  },

  processChunk(_chunk, partials, finals, native, state, context) {
    throwIfStopped(context)
    return [answerOf(context)?.filter(partials) ?? partials, finals, native, state]
  },

  finalize(finals, native, state, context) {
    throwIfStopped(context)
    return [finals, native, state]
  },

  fromNative(_natives, core, context) {
    if (context.phase === 'finals') judge(core as readonly Message[], 'answer', context)
    return core
  },
} satisfies Extension
