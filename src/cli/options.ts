import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { HostError, messageOf } from '../errors.ts'
import { isPath } from '../load/locate.ts'
import { checkConfig } from '../schema/check-config.ts'
import { type ConfigLayer, mergeLayers } from '../schema/layers.ts'

/** Options of every command that needs a config. */
export interface ConfigOptions {
  readonly config?: string
  readonly provider?: string
  readonly model?: string
  readonly set?: readonly string[]
}

/** The config file with the command line over it. @throws {HostError} CONFIG_INVALID */
export async function readConfig(options: ConfigOptions): Promise<ConfigLayer> {
  const file = options.config === undefined ? {} : await readConfigFile(options.config)
  const flags: ConfigLayer = {
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.model === undefined ? {} : { model: options.model }),
  }
  const assignments = (options.set ?? []).map(parseAssignment)
  return mergeLayers(file, flags, ...assignments)
}

async function readConfigFile(path: string): Promise<ConfigLayer> {
  const config = checkConfig(parseJson(await readText(path), path))
  // Paths of plugins are those of the file that names them.
  const plugins = config.plugins?.map((name) =>
    isPath(name) ? resolve(dirname(path), name) : name,
  )
  return plugins ? { ...config, plugins } : config
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new HostError('CONFIG_INVALID', `The config file cannot be read: ${messageOf(error)}`)
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HostError(
      'CONFIG_INVALID',
      `The config file "${path}" is no JSON: ${messageOf(error)}`,
    )
  }
}

/** `a.b.c=value`: the value is JSON, or else text. */
function parseAssignment(assignment: string): ConfigLayer {
  const at = assignment.indexOf('=')
  const path = assignment.slice(0, Math.max(at, 0)).split('.')
  if (path.includes('')) {
    throw new HostError(
      'CONFIG_INVALID',
      `--set takes KEY=VALUE, as in --set settings.scripted.delay_ms=0, not "${assignment}".`,
    )
  }
  const layer = path.reduceRight<unknown>(
    (value, key) => ({ [key]: value }),
    parseValue(assignment.slice(at + 1)),
  )
  return checkConfig(layer)
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
