import type { Config, Context, Feature } from '@braidwork/plugin'
import { withInstructions } from './edit-messages.ts'
import { readFiles } from './read-files.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'

const TEXT = 'text'

/** Reads the texts of the settings and files, and reports each. */
async function readInstructions(config: Config, { local, report }: Context): Promise<void> {
  const { text, files } = readSettings(config)
  const read = await readFiles(files)
  if (text !== '') report({ kind: 'instructions', ref: 'settings.instructions.text' })
  for (const [at, ref] of files.entries()) {
    const isEmpty = read[at] === ''
    report({
      kind: 'instructions',
      ref,
      ...(isEmpty ? { status: 'left_out', reason: 'the file is empty' } : {}),
    })
  }
  local.set(TEXT, [text, ...read].filter((part) => part !== '').join('\n\n'))
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
