import type { Context, Feature, Message } from '@braidwork/plugin'
import { type Asked, checkFinals } from './check-finals.ts'
import { compileSchema } from './compile-schema.ts'
import { instructionFor, withInstruction } from './instruction.ts'
import { isRepair } from './is-repair.ts'
import { type AskedFormat, asksForJson, readFormat } from './response-format.ts'

const FORMAT = 'format'
const ASKED = 'asked'

/** Replaces a provider's warning that it drops the format, which would be misleading here. */
const TOLD = 'The model is told the schema of response_format in words, and its answer is checked.'

function isHeld({ format }: AskedFormat, { tags }: Context): boolean {
  return format.type === 'json-schema' && tags.has('structured-output')
}

/**
 * The value of a valid answer, read from the messages of its result. Undefined where the feature has read no answer: it is
 * not in `enabled_plugins`, or `response_format` does not ask for JSON. Then the text of the answer is what the model wrote.
 */
export function outputOf<Value = unknown>(messages: readonly Message[]): Value | undefined {
  return messages.at(-1)?.metadata?.['structuredOutput'] as Value | undefined
}

export default {
  kind: 'feature',
  name: 'structured-output',
  // Off by default, since it changes the answer.
  defaultEnabled: false,
  isEnabled: (config) => (asksForJson(config) ? undefined : false),

  async init(config, state, { local }) {
    const format = readFormat(config)
    const check = await compileSchema(format.schema, format.pointer)
    local.set(FORMAT, format)
    local.set(ASKED, { check, isRepair: false } satisfies Asked)
    return state
  },

  editMessages(messages, _state, context) {
    const { local } = context
    local.set(ASKED, { ...(local.get(ASKED) as Asked), isRepair: isRepair(messages) })
    const format = local.get(FORMAT) as AskedFormat
    if (isHeld(format, context)) return messages
    if (format.format.type === 'json-schema') context.warn(TOLD)
    context.report({ kind: 'instructions', ref: 'response_format' })
    return withInstruction(messages, instructionFor(format))
  },

  fromNative(_natives, core, context) {
    return checkFinals(core as readonly Message[], context.local.get(ASKED) as Asked, context)
  },
} satisfies Feature
