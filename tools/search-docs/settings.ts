import type { Config, State } from '@braidwork/plugin'

export interface SearchState extends State {
  readonly root: string
  readonly endings: readonly string[]
  readonly max_results: number
  readonly max_files: number
  readonly max_file_bytes: number
  readonly max_total_bytes: number
}

const ENDINGS = ['.md', '.markdown', '.mdx', '.txt', '.rst']
const LIMITS = {
  max_results: { most: 50, usual: 5 },
  max_files: { most: 100_000, usual: 5_000 },
  max_file_bytes: { most: 64 * 1024 * 1024, usual: 1024 * 1024 },
  max_total_bytes: { most: 512 * 1024 * 1024, usual: 64 * 1024 * 1024 },
} as const

const limit = (name: keyof typeof LIMITS, title: string, description: string, german: object) => ({
  type: 'integer',
  title,
  minimum: 1,
  maximum: LIMITS[name].most,
  default: LIMITS[name].usual,
  description,
  'x-i18n': { de: german },
})

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    root: {
      type: 'string',
      minLength: 1,
      title: 'Folder',
      'x-i18n': { de: { title: 'Ordner', description: 'Ordner mit den Dokumenten' } },
      description: 'Folder with the documents',
    },
    endings: {
      type: 'array',
      items: { type: 'string', pattern: '^\\.' },
      title: 'Endings',
      'x-i18n': { de: { title: 'Endungen', description: 'Dateiendungen der Dokumente' } },
      description: 'File name endings of documents',
      default: ENDINGS,
    },
    max_results: limit('max_results', 'Passages', 'Maximum number of passages per answer', {
      title: 'Textstellen',
      description: 'Höchstzahl der Textstellen je Antwort',
    }),
    max_files: limit('max_files', 'Documents', 'Most documents', {
      title: 'Dokumente',
      description: 'Höchstzahl der Dokumente',
    }),
    max_file_bytes: limit(
      'max_file_bytes',
      'Bytes of a document',
      'Larger documents are left out',
      { title: 'Bytes eines Dokuments', description: 'Größere Dokumente werden ausgelassen' },
    ),
    max_total_bytes: limit(
      'max_total_bytes',
      'Bytes of all documents',
      'Documents beyond this total are left out',
      { title: 'Bytes aller Dokumente', description: 'Was darüber hinausgeht, wird ausgelassen' },
    ),
  },
  additionalProperties: false,
} as const

/** The root if no folder is set. The tool then offers nothing. */
export const NO_ROOT = ''

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): SearchState {
  const settings = config.settings?.['search-docs'] ?? {}
  const { root = NO_ROOT, endings = ENDINGS } = settings
  const isGiven = settings['root'] !== undefined
  if (typeof root !== 'string' || (isGiven && root === ''))
    throw invalid('root', 'must be the path of a folder')
  if (!Array.isArray(endings) || !endings.every((ending) => typeof ending === 'string'))
    throw invalid('endings', 'must be a list of endings such as ".md"')
  const limitOf = (name: keyof typeof LIMITS): number => {
    const value = settings[name] ?? LIMITS[name].usual
    const { most } = LIMITS[name]
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
      throw invalid(name, `must be a whole number from 1 to ${most}`)
    return value
  }
  return {
    root,
    endings: endings.map((ending: string) => ending.toLowerCase()),
    max_results: limitOf('max_results'),
    max_files: limitOf('max_files'),
    max_file_bytes: limitOf('max_file_bytes'),
    max_total_bytes: limitOf('max_total_bytes'),
  }
}

function invalid(key: string, reason: string): Error {
  const pointer = `/settings/search-docs/${key}`
  return Object.assign(new Error(`Setting "${key}" of tool "search-docs" ${reason}.`), {
    code: 'SETTINGS_INVALID',
    pointer,
  })
}
