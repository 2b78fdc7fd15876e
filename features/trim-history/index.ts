import type { Feature, ModelTool } from '@braidwork/plugin'
import { repaired } from './repair.ts'
import { reportAnswered } from './report.ts'
import { roomOf } from './room.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'
import { isRecord } from './sizes.ts'
import { loadTokenizer } from './tokenizer.ts'
import { trim } from './trim.ts'

const SCHEMAS = 'schemas'
const READER = 'reader'

/** The arguments of the host's tool `read_result`. A tool of that name without them is somebody else's. */
const READS = ['reference', 'offset', 'length', 'search']

/** Whether the model can read a result again that it is shown only in part. LT-09 */
function isReader({ name, input_schema: { properties } }: ModelTool): boolean {
  const isOwn = (argument: string) => isRecord(properties) && Object.hasOwn(properties, argument)
  return name === 'read_result' && READS.every(isOwn)
}

export default {
  kind: 'feature',
  name: 'trim-history',
  // Off by default, since it changes the messages.
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,
  getTags: () => ['history-repair', 'result-shortening'],

  init({ tools = [], response_format }, state, { local }) {
    local.set(SCHEMAS, [...tools, response_format])
    local.set(READER, tools.some(isReader))
    return state
  },

  editMessages(messages, _state, context) {
    const { config, modelInfo, local, signal, warn, report } = context
    const { provider, model } = config
    const settings = readSettings(config)
    const room = roomOf(config, modelInfo, settings)
    if (room.tokens === Number.POSITIVE_INFINITY) {
      warn(
        'The context window of the model is unknown, so nothing is left out: set "context_window" or "max_tokens"',
      )
    }
    const whole = repaired(messages, (call) => reportAnswered(call, report))
    return trim(whole, {
      room,
      longestResult: settings.max_result_tokens,
      recent: settings.min_recent_messages,
      canReadAgain: local.get(READER) === true,
      note: settings.note,
      provider,
      schemas: (local.get(SCHEMAS) as readonly unknown[] | undefined) ?? [],
      signal,
      warn,
      report,
      load: () => loadTokenizer(model),
    })
  },
} satisfies Feature
