import type { Config, State } from '@braidwork/plugin'

export interface FetchState extends State {
  /** Absent if every public host is allowed. */
  readonly hosts?: readonly string[]
  readonly methods: readonly string[]
  readonly max_bytes: number
  readonly max_chars: number
  readonly timeout: number
  readonly allow_loopback: boolean
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const LIMITS = {
  max_bytes: { least: 1, most: 64 * 1024 * 1024, usual: 2 * 1024 * 1024 },
  max_chars: { least: 1, most: 10_000_000, usual: 40_000 },
  timeout: { least: 0.1, most: 600, usual: 20 },
} as const

const limit = (name: keyof typeof LIMITS, title: string, description: string, german: object) => ({
  type: name === 'timeout' ? 'number' : 'integer',
  title,
  minimum: LIMITS[name].least,
  maximum: LIMITS[name].most,
  default: LIMITS[name].usual,
  description,
  'x-i18n': { de: german },
})

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    hosts: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      title: 'Hosts',
      'x-i18n': {
        de: {
          title: 'Hosts',
          description:
            'Erlaubte Hosts; „*.example.org“ erlaubt alle Subdomains. Ohne Angabe ist jeder öffentliche Host erlaubt',
        },
      },
      description:
        'Allowed hosts; "*.example.org" allows all subdomains. By default every public host is allowed',
    },
    methods: {
      type: 'array',
      items: { type: 'string', enum: METHODS },
      minItems: 1,
      title: 'Methods',
      'x-i18n': { de: { title: 'Methoden', description: 'Erlaubte HTTP-Methoden' } },
      description: 'Allowed HTTP methods',
      default: ['GET'],
    },
    max_bytes: limit('max_bytes', 'Bytes per page', 'Maximum number of bytes read from a page', {
      title: 'Bytes je Seite',
      description: 'Höchstzahl der Bytes, die von einer Seite gelesen werden',
    }),
    max_chars: limit('max_chars', 'Characters', 'Maximum number of characters of text shown', {
      title: 'Zeichen',
      description: 'Höchstzahl der Zeichen des gezeigten Textes',
    }),
    timeout: limit('timeout', 'Seconds', 'Timeout in seconds for a page, including redirects', {
      title: 'Sekunden',
      description: 'Zeitlimit in Sekunden für eine Seite, mit Weiterleitungen',
    }),
    allow_loopback: {
      type: 'boolean',
      title: 'This machine',
      'x-i18n': {
        de: {
          title: 'Dieser Rechner',
          description: 'Für Tests: erlaubt auch Anfragen an diesen Rechner',
        },
      },
      description: 'For tests: also allows requests to this machine',
      default: false,
    },
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): FetchState {
  const settings = config.settings?.['fetch'] ?? {}
  const { hosts, methods = ['GET'], allow_loopback: loopback = false } = settings
  if (hosts !== undefined && !isTexts(hosts)) throw invalid('hosts', 'must be a list of hosts')
  if (!isTexts(methods) || !methods.every((method) => METHODS.includes(method)))
    throw invalid('methods', `must be a list of ${METHODS.join(', ')}`)
  if (typeof loopback !== 'boolean') throw invalid('allow_loopback', 'must be true or false')
  const limitOf = (name: keyof typeof LIMITS): number => {
    const value = settings[name] ?? LIMITS[name].usual
    const { least, most } = LIMITS[name]
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw invalid(name, `must be a number from ${least} to ${most}`)
    return value
  }
  return {
    ...(hosts === undefined ? {} : { hosts: hosts.map((host) => host.toLowerCase()) }),
    methods,
    max_bytes: limitOf('max_bytes'),
    max_chars: limitOf('max_chars'),
    timeout: limitOf('timeout'),
    allow_loopback: loopback,
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
}

function invalid(key: string, reason: string): Error {
  const pointer = `/settings/fetch/${key}`
  return Object.assign(new Error(`Setting "${key}" of tool "fetch" ${reason}.`), {
    code: 'SETTINGS_INVALID',
    pointer,
  })
}
