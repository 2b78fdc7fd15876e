import { constants, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '@braidwork/plugin'
import { isNumber, isText } from './checks.ts'
import { settingError } from './errors.ts'
import { type Fault, type Rule, readFault, readScript } from './script.ts'

export interface ScriptedSettings {
  readonly script: readonly Rule[]
  readonly fault?: Fault
  readonly delay_ms: number
}

/** Long enough that streaming is visible in a terminal. */
const DELAY = 15
/** Non-blocking, since opening a named pipe would otherwise wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const LARGEST_SCRIPT = 1024 * 1024
const ROOT = '/settings/scripted'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    script: {
      type: 'array',
      title: 'Script',
      'x-i18n': {
        de: {
          title: 'Skript',
          description: 'Regeln {when, then}; die erste, die zutrifft, gibt die Antwort',
        },
      },
      description: 'Rules {when, then}; the first rule that applies gives the answer',
      items: { type: 'object' },
    },
    script_file: {
      type: 'string',
      title: 'Script file',
      'x-i18n': {
        de: {
          title: 'Datei mit dem Skript',
          description:
            'Eine JSON-Datei mit weiteren Regeln nach denen in „script“; relative Pfade beginnen im Arbeitsverzeichnis',
        },
      },
      description:
        'A JSON file with more rules, which follow those of "script"; relative paths start at the working directory',
    },
    fault: {
      type: ['string', 'object'],
      title: 'Fault',
      'x-i18n': {
        de: {
          title: 'Fehler',
          description:
            'Ein Fehler in jeder Antwort, etwa "rate-limit" oder {"type": "cut", "after_chunks": 3}',
        },
      },
      description:
        'A fault in every answer, such as "rate-limit" or {"type": "cut", "after_chunks": 3}',
    },
    delay_ms: {
      type: 'number',
      title: 'Delay',
      'x-i18n': {
        de: { title: 'Verzögerung', description: 'Millisekunden zwischen zwei Stücken' },
      },
      description: 'Milliseconds between two chunks',
      minimum: 0,
      maximum: 60_000,
      default: DELAY,
    },
    models: {
      type: 'array',
      title: 'Models',
      'x-i18n': {
        de: {
          title: 'Modelle',
          description: 'Weitere Ids von Modellen; sie antworten wie scripted-1',
        },
      },
      description: 'More model ids to offer; they answer like scripted-1',
      items: { type: 'string' },
    },
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID with a pointer to the fault. */
export async function readSettings(config: Config): Promise<ScriptedSettings> {
  const { script, script_file, fault, delay_ms = DELAY } = config.settings?.['scripted'] ?? {}
  isNumber(0, { whole: false })(delay_ms, `${ROOT}/delay_ms`)
  const own = script === undefined ? [] : readScript(script, `${ROOT}/script`)
  const filed = script_file === undefined ? [] : await readScriptFile(script_file)
  return {
    script: [...own, ...filed],
    delay_ms: delay_ms as number,
    ...(fault === undefined ? {} : { fault: readFault(fault, `${ROOT}/fault`) }),
  }
}

async function readScriptFile(path: unknown): Promise<readonly Rule[]> {
  const pointer = `${ROOT}/script_file`
  isText(path, pointer)
  const name = path as string
  const text = await readText(name).catch((error: unknown) => {
    throw settingError(pointer, `"${name}" cannot be read (${codeOf(error)})`, error)
  })
  if (text.length > LARGEST_SCRIPT) throw settingError(pointer, `"${name}" is larger than 1 MB`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw settingError(pointer, `"${name}" is not JSON`, error)
  }
  return rulesOf(value, name, pointer)
}

/** Reads the rules of a file. An error points at the setting; its message gives the place in the file. */
function rulesOf(value: unknown, name: string, pointer: string): readonly Rule[] {
  try {
    return readScript(value, '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw settingError(pointer, `"${name}" is not a script. ${reason.replace(/\.$/, '')}`, error)
  }
}

async function readText(path: string): Promise<string> {
  const file = await open(resolve(path), READ)
  try {
    if (!(await file.stat()).isFile()) throw Object.assign(new Error('no file'), { code: 'EISDIR' })
    const buffer = Buffer.alloc(LARGEST_SCRIPT + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function codeOf(error: unknown): string {
  // Under jest, the errors of Node have other classes than those that this module knows.
  const { code = 'unknown' }: { readonly code?: unknown } = Object(error)
  return String(code)
}
