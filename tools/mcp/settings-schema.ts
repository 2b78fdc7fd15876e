/** The name by which the plugin's own tools begin. A server may not have it while they are offered. */
export const OWN_NAME = 'mcp'

/** The newest revision of the protocol that is spoken with a server. The first is the default. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const

/** The limits of numbers in the settings. */
export const NUMBERS = {
  start: { least: 0.1, most: 600, usual: 20 },
  idle: { least: 1, most: 86_400, usual: 300 },
  call: { least: 1, most: 86_400, usual: 3_600 },
  max_bytes: { least: 1_024, most: 256 * 1024 * 1024, usual: 16 * 1024 * 1024 },
  max_tokens: { least: 1, most: 100_000, usual: 1_024 },
  requests: { least: 1, most: 64, usual: 4 },
} as const

const number = (name: keyof typeof NUMBERS, title: string, description: string) => ({
  type: name === 'start' || name === 'idle' || name === 'call' ? 'number' : 'integer',
  title,
  minimum: NUMBERS[name].least,
  maximum: NUMBERS[name].most,
  default: NUMBERS[name].usual,
  description,
})

const TEXTS = { type: 'array', items: { type: 'string', minLength: 1 } } as const
const flag = (title: string, description: string) => ({ type: 'boolean', title, description })
const mark = (description: string) => ({ type: 'boolean', description })

/** How far a server may ask the model. */
const SAMPLING = {
  type: 'object',
  title: 'Sampling',
  description: 'Whether the server may ask the model in the middle of a call, and how far',
  properties: {
    policy: {
      type: 'string',
      enum: ['deny', 'ask', 'allow'],
      default: 'deny',
      title: 'Policy',
      description: 'Whether it may, or the person is asked each time',
    },
    model: {
      type: 'string',
      minLength: 1,
      title: 'Model',
      description: 'Model of the same provider that answers. By default that of the config',
    },
    max_tokens: number('max_tokens', 'Tokens', 'Most tokens of an answer'),
    requests: number('requests', 'Requests', 'Most requests of one call'),
  },
  additionalProperties: false,
} as const

/** A server, as the configs of other MCP clients write it, and what only Braidwork knows. */
const SERVER = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['stdio', 'http', 'streamable-http', 'sse'],
      title: 'Transport',
      description: 'The transport. By default stdio for a command, and streamable HTTP for a URL',
    },
    command: { type: 'string', minLength: 1, title: 'Command', description: 'Program to start' },
    args: { type: 'array', items: { type: 'string' }, title: 'Arguments', default: [] },
    env: {
      type: 'object',
      additionalProperties: { type: 'string' },
      writeOnly: true,
      title: 'Environment',
      description: 'Environment variables of the program, besides PATH, HOME, LANG and TMPDIR',
    },
    cwd: { type: 'string', minLength: 1, title: 'Folder', description: 'Working directory' },
    url: {
      type: 'string',
      minLength: 1,
      title: 'URL',
      description: 'Address of a server over HTTP',
    },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      writeOnly: true,
      title: 'Headers',
      description: 'Headers of each request, such as Authorization',
    },
    oauth: {
      type: 'object',
      title: 'OAuth client',
      description: 'A client that was registered by hand, for logins at the server',
      properties: {
        client_id: { type: 'string', minLength: 1, title: 'Client id' },
        client_secret: { type: 'string', minLength: 1, writeOnly: true, title: 'Client secret' },
      },
      required: ['client_id'],
      additionalProperties: false,
    },
    protocol: {
      type: 'string',
      enum: REVISIONS,
      title: 'Protocol',
      description:
        'The newest revision of the protocol that is spoken. By default the newest of all',
    },
    disabled: flag('Disabled', 'Whether the server is not used'),
    allow_private: flag(
      'Private addresses',
      'Whether the host name of the URL may lead to an address in a private network',
    ),
    tools: { ...TEXTS, title: 'Tools', description: 'Tools that are offered. By default all' },
    safety: {
      type: 'object',
      title: 'Safety',
      description:
        'Marks of tools, by their own names, or by "*" for all. A server can only make a tool less trusted',
      additionalProperties: {
        type: 'object',
        properties: {
          is_read_only: mark('The tool changes nothing'),
          is_concurrency_safe: mark('Calls of the tool may run at the same time as others'),
          is_destructive: mark('The tool may delete or overwrite something'),
          is_idempotent: mark('A repeated call has no further effect'),
        },
        additionalProperties: false,
      },
    },
    sampling: SAMPLING,
  },
  additionalProperties: false,
} as const

const SERVERS = {
  type: 'object',
  // Tools begin with the name of their server.
  propertyNames: { pattern: '\\S' },
  additionalProperties: SERVER,
} as const

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    servers: {
      ...SERVERS,
      title: 'Servers',
      'x-i18n': {
        de: { title: 'Server', description: 'MCP-Server, nach den Namen, die sie hier bekommen' },
      },
      description: 'MCP servers, by the names they get here',
    },
    project_servers: {
      ...SERVERS,
      title: 'Servers of the project',
      'x-i18n': {
        de: {
          title: 'Server des Projekts',
          description:
            'Server in „.mcp.json“ eines Ordners, dem vertraut wird, wie der Host sie liest',
        },
      },
      description: 'Servers in ".mcp.json" of a trusted folder, as the host reads them',
    },
    use: {
      ...TEXTS,
      title: 'Servers in use',
      'x-i18n': {
        de: {
          title: 'Verwendete Server',
          description: 'Server, die verwendet werden. Ohne Angabe alle',
        },
      },
      description: 'Servers that are used. By default all',
    },
    resources: {
      ...flag('Resources', 'Whether the model may list and read resources and prompts of servers'),
      'x-i18n': {
        de: {
          title: 'Ressourcen',
          description: 'Ob das Modell Ressourcen und Prompts von Servern auflisten und lesen darf',
        },
      },
      default: false,
    },
    roots: {
      ...TEXTS,
      title: 'Roots',
      description: 'Folders that servers are told to work in',
      'x-i18n': {
        de: {
          title: 'Ordner',
          description: 'Ordner, die Servern als Arbeitsbereich genannt werden',
        },
      },
    },
    start: {
      ...number('start', 'Seconds to start', 'Longest wait for a server until it has started'),
      'x-i18n': {
        de: {
          title: 'Sekunden zum Start',
          description: 'Wie lange höchstens auf den Start eines Servers gewartet wird',
        },
      },
    },
    idle: {
      ...number('idle', 'Seconds idle', 'Time without calls after which a server is stopped'),
      'x-i18n': {
        de: {
          title: 'Sekunden ohne Aufruf',
          description: 'Zeit ohne Aufrufe, nach der ein Server angehalten wird',
        },
      },
    },
    call: {
      ...number(
        'call',
        'Seconds of a call',
        'Longest time of a call, whatever progress it reports',
      ),
      'x-i18n': {
        de: {
          title: 'Sekunden eines Aufrufs',
          description: 'Wie lange ein Aufruf höchstens dauert, was auch immer er meldet',
        },
      },
    },
    max_bytes: {
      ...number('max_bytes', 'Bytes', 'Most bytes of a message from a server'),
      'x-i18n': {
        de: {
          title: 'Bytes',
          description: 'Höchstzahl der Bytes einer Nachricht von einem Server',
        },
      },
    },
  },
  additionalProperties: false,
} as const
