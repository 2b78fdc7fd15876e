import type { Config } from '@braidwork/plugin'

/** The settings that say how much room there is. */
export interface RoomSettings {
  readonly context_window?: number
  readonly max_tokens?: number
  readonly answer_tokens?: number
  readonly margin?: number
}

export interface TrimSettings extends RoomSettings {
  readonly max_result_tokens: number
  readonly min_recent_messages: number
  readonly note: string
}

/** Marks the cut. The text does not vary, so that a cached prompt stays valid. */
const NOTE = '[Earlier messages of this conversation were left out here.]'
const MOST_TOKENS = 1_000_000_000
/** The defaults, which are those of the schema. AW-44 */
const LONG_RESULT = 2048
const RECENT = 10

const RANGES = {
  context_window: { least: 1, most: MOST_TOKENS },
  max_tokens: { least: 1, most: MOST_TOKENS },
  answer_tokens: { least: 0, most: MOST_TOKENS },
  max_result_tokens: { least: 100, most: MOST_TOKENS },
  min_recent_messages: { least: 0, most: 10_000 },
} as const

const tokens = (name: keyof typeof RANGES, title: string, description: string, german: object) => ({
  type: 'integer',
  minimum: RANGES[name].least,
  maximum: RANGES[name].most,
  title,
  description,
  'x-i18n': { de: german },
})

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    context_window: tokens(
      'context_window',
      'Window',
      'The context window in tokens, if the provider does not know it or reports it wrongly',
      {
        title: 'Kontextfenster',
        description: 'Das Kontextfenster in Tokens, falls der Provider es nicht oder falsch kennt',
      },
    ),
    max_tokens: tokens(
      'max_tokens',
      'Most tokens',
      'Maximum number of tokens of a request (messages and tools), however large the window is',
      {
        title: 'Höchstzahl der Tokens',
        description:
          'Höchstzahl der Tokens einer Anfrage (Nachrichten und Werkzeuge), wie groß das Fenster auch ist',
      },
    ),
    answer_tokens: tokens(
      'answer_tokens',
      'Room for the answer',
      'Tokens kept free for the answer where "max_output_tokens" is not set',
      {
        title: 'Platz für die Antwort',
        description:
          'Tokens, die für die Antwort frei bleiben, wo „max_output_tokens“ nicht gesetzt ist',
      },
    ),
    margin: {
      type: 'number',
      minimum: 0,
      maximum: 0.9,
      title: 'Margin',
      'x-i18n': {
        de: {
          title: 'Reserve',
          description: 'Anteil des Fensters, der frei bleibt, weil Tokens nur geschätzt werden',
        },
      },
      description: 'Share of the window kept free, because token counts are estimates',
    },
    max_result_tokens: {
      ...tokens(
        'max_result_tokens',
        'Long result',
        'A tool result with more tokens is shortened, once the model has answered it, to its beginning and end',
        {
          title: 'Langes Ergebnis',
          description:
            'Ein Werkzeugergebnis mit mehr Tokens wird auf Anfang und Ende gekürzt, sobald das Modell darauf geantwortet hat',
        },
      ),
      default: LONG_RESULT,
    },
    min_recent_messages: {
      ...tokens(
        'min_recent_messages',
        'Recent messages',
        'How many of the newest messages are kept for as long as they fit',
        {
          title: 'Neueste Nachrichten',
          description: 'Wie viele der neuesten Nachrichten bleiben, solange sie passen',
        },
      ),
      default: RECENT,
    },
    note: {
      type: 'string',
      maxLength: 1000,
      default: NOTE,
      title: 'Note',
      'x-i18n': {
        de: {
          title: 'Hinweis',
          description:
            'Hinweis für das Modell anstelle entfernter Nachrichten; "" in der Konfiguration schaltet ihn aus',
        },
      },
      description: 'Note for the model in place of removed messages; "" in the config turns it off',
    },
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): TrimSettings {
  const settings = config.settings?.['trim-history'] ?? {}
  const {
    note = NOTE,
    margin,
    max_result_tokens = LONG_RESULT,
    min_recent_messages = RECENT,
  } = settings as Partial<TrimSettings>
  if (typeof note !== 'string') throw invalid('note', 'must be a text')
  if (margin !== undefined && !isWithin(margin, 0, 0.9))
    throw invalid('margin', 'must be a share from 0 to 0.9')
  for (const [name, { least, most }] of Object.entries(RANGES)) {
    const value = settings[name]
    if (value !== undefined && !(Number.isInteger(value) && isWithin(value, least, most)))
      throw invalid(name, `must be a whole number from ${least} to ${most}`)
  }
  return { ...settings, note, max_result_tokens, min_recent_messages }
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function invalid(key: string, reason: string): Error {
  const pointer = `/settings/trim-history/${key}`
  const message = `Setting "${pointer}" of feature "trim-history" is invalid: it ${reason}.`
  return Object.assign(new Error(message), { code: 'SETTINGS_INVALID', pointer })
}
