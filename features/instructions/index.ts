import type { Config, Context, Feature } from '@braidwork/plugin'
import { withInstructions } from './edit-messages.ts'
import { readFiles } from './read-files.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'

const TEXT = 'text'

async function readInstructions(config: Config, { local }: Context): Promise<void> {
  const { text, files } = readSettings(config)
  const texts = [text, ...(await readFiles(files))]
  local.set(TEXT, texts.filter((part) => part !== '').join('\n\n'))
}

export default {
  kind: 'feature',
  name: 'instructions',
  // Off by default, since it reads files and changes the messages.
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,

  async init(config, state, context) {
    await readInstructions(config, context)
    return state
  },

  editMessages(messages, _state, { local }) {
    const text = local.get(TEXT)
    return typeof text === 'string' && text !== '' ? withInstructions(messages, text) : messages
  },
} satisfies Feature
