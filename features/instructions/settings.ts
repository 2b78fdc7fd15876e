import type { Config } from '@braidwork/plugin'

export interface InstructionSettings {
  readonly text: string
  readonly files: readonly string[]
}

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      title: 'Instructions',
      'x-i18n': {
        de: {
          title: 'Anweisungen',
          description: 'Anweisungen für das Modell, die vor der Unterhaltung stehen',
        },
      },
      contentMediaType: 'text/plain',
      description: 'Instructions for the model, placed before the conversation',
    },
    files: {
      type: 'array',
      items: { type: 'string' },
      title: 'Instruction files',
      'x-i18n': {
        de: {
          title: 'Dateien mit Anweisungen',
          description:
            'Markdown- oder Textdateien, bei jeder Anfrage gelesen; relative Pfade beginnen im Arbeitsverzeichnis',
        },
      },
      description:
        'Markdown or text files, read at each request; relative paths start at the working directory',
    },
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): InstructionSettings {
  const { text = '', files = [] } = config.settings?.['instructions'] ?? {}
  if (typeof text !== 'string') throw settingError('/text', 'it must be a text')
  if (!Array.isArray(files)) throw settingError('/files', 'it must be a list of paths')
  files.forEach((file, index) => {
    if (typeof file !== 'string' || file === '')
      throw settingError(`/files/${index}`, 'it must be a path')
  })
  return { text: text.trim(), files }
}

export function settingError(below: string, reason: string, cause?: unknown): Error {
  const pointer = `/settings/instructions${below}`
  const message = `Setting "${pointer}" of feature "instructions" is invalid: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'SETTINGS_INVALID', pointer })
}
