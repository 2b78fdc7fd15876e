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

function patternsOf(title: string, description: string) {
  const items = { type: 'string', minLength: 1, maxLength: 1_000 } as const
  return { type: 'array', maxItems: MOST_PATTERNS, items, title, description, default: [] } as const
}

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    root: {
      type: 'string',
      minLength: 1,
      title: 'Folder',
      description: 'The only folder that the model can access',
    },
    write: {
      type: 'boolean',
      title: 'Writing',
      description: 'Allow the model to write and edit files',
      default: false,
    },
    allow_read: patternsOf(
      'Allow reading',
      'Patterns of files that may be read although they may contain keys or passwords, such as ".env.example"',
    ),
    allow_write: patternsOf(
      'Allow writing',
      'Patterns of files that may be written although programs obey or execute them, such as "package.json"',
    ),
    protect: patternsOf(
      'Additional protected files',
      'Patterns of files that must be neither read nor written',
    ),
    max_bytes: {
      type: 'integer',
      minimum: 1,
      maximum: MOST,
      title: 'Bytes per file',
      description: 'Maximum number of bytes read or written at once',
      default: DEFAULTS.max_bytes,
    },
    max_entries: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      title: 'Entries per list',
      description: 'Maximum number of entries in a folder list',
      default: DEFAULTS.max_entries,
    },
    max_matches: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      title: 'Found lines',
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
