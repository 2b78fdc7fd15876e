import type { Config, State } from '@braidwork/plugin'

export interface FilesState extends State {
  readonly root: string
  readonly write: boolean
  readonly max_bytes: number
  readonly max_entries: number
  readonly max_matches: number
  readonly allow_read: readonly string[]
  readonly allow_write: readonly string[]
  readonly protect: readonly string[]
}

/** The settings for one call, with the files that the host obeys. */
export interface FilesScope extends FilesState {
  readonly deciding: readonly string[]
}

const DEFAULTS = { max_bytes: 256 * 1024, max_entries: 1_000, max_matches: 100 }
/** The maximum number of patterns in a list. */
const MOST_PATTERNS = 100
const LISTS = ['allow_read', 'allow_write', 'protect'] as const
const MOST = 64 * 1024 * 1024

function patternsOf(title: string, description: string, german: object) {
  const items = { type: 'string', minLength: 1, maxLength: 1_000 } as const
  return {
    type: 'array',
    maxItems: MOST_PATTERNS,
    items,
    title,
    description,
    'x-i18n': { de: german },
    default: [],
  } as const
}

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    root: {
      type: 'string',
      minLength: 1,
      title: 'Folder',
      'x-i18n': {
        de: { title: 'Ordner', description: 'Der einzige Ordner, den das Modell sieht' },
      },
      description: 'The only folder that the model can access',
    },
    write: {
      type: 'boolean',
      title: 'Writing',
      'x-i18n': {
        de: { title: 'Schreiben', description: 'Das Modell darf Dateien schreiben und ändern' },
      },
      description: 'Allow the model to write and edit files',
      default: false,
    },
    allow_read: patternsOf(
      'Allow reading',
      'Patterns of files that may be read although they may contain keys or passwords, such as ".env.example"',
      {
        title: 'Lesen erlauben',
        description:
          'Muster von Dateien, die gelesen werden dürfen, obwohl sie Schlüssel oder Passwörter enthalten können, etwa „.env.example“',
      },
    ),
    allow_write: patternsOf(
      'Allow writing',
      'Patterns of files that may be written although programs obey or execute them, such as "package.json"',
      {
        title: 'Schreiben erlauben',
        description:
          'Muster von Dateien, die geschrieben werden dürfen, obwohl Programme sie befolgen oder ausführen, etwa „package.json“',
      },
    ),
    protect: patternsOf(
      'Additional protected files',
      'Patterns of files that must be neither read nor written',
      {
        title: 'Weitere geschützte Dateien',
        description: 'Muster von Dateien, die weder gelesen noch geschrieben werden dürfen',
      },
    ),
    max_bytes: {
      type: 'integer',
      minimum: 1,
      maximum: MOST,
      title: 'Bytes per file',
      'x-i18n': {
        de: {
          title: 'Bytes je Datei',
          description: 'Höchstzahl der Bytes, die auf einmal gelesen oder geschrieben werden',
        },
      },
      description: 'Maximum number of bytes read or written at once',
      default: DEFAULTS.max_bytes,
    },
    max_entries: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      title: 'Entries per list',
      'x-i18n': {
        de: {
          title: 'Einträge je Liste',
          description: 'Höchstzahl der Einträge in der Liste eines Ordners',
        },
      },
      description: 'Maximum number of entries in a folder list',
      default: DEFAULTS.max_entries,
    },
    max_matches: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      title: 'Found lines',
      'x-i18n': {
        de: {
          title: 'Gefundene Zeilen',
          description: 'Höchstzahl der Zeilen, die eine Suche liefert',
        },
      },
      description: 'Maximum number of lines that a search returns',
      default: DEFAULTS.max_matches,
    },
  },
  additionalProperties: false,
} as const

/** The root if no folder is set. The tool then offers nothing. */
export const NO_ROOT = ''

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): FilesState {
  const settings = config.settings?.['files'] ?? {}
  const { root = NO_ROOT, write = false } = settings
  const isGiven = settings['root'] !== undefined
  if (typeof root !== 'string' || (isGiven && root === ''))
    throw invalid('root', 'must be the path of a folder')
  if (typeof write !== 'boolean') throw invalid('write', 'must be true or false')
  const limits = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const value = settings[name] ?? DEFAULTS[name]
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MOST)
      throw invalid(name, `must be a whole number from 1 to ${MOST}`)
    limits[name] = value as number
  }
  return { root, write, ...limits, ...listsIn(settings) }
}

function listsIn(settings: { readonly [key: string]: unknown }) {
  const lists: { [name in (typeof LISTS)[number]]: readonly string[] } = {
    allow_read: [],
    allow_write: [],
    protect: [],
  }
  for (const name of LISTS) {
    const value = settings[name] ?? []
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
      throw invalid(name, 'must be a list of patterns')
    lists[name] = value
  }
  return lists
}

function invalid(key: string, reason: string): Error {
  const pointer = `/settings/files/${key}`
  return Object.assign(new Error(`Setting "${key}" of tool "files" ${reason}.`), {
    code: 'SETTINGS_INVALID',
    pointer,
  })
}
