import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { isObject, type JsonObject } from '../../src/plugin/events/index.ts'
import { ownFiles, sharedFiles } from './recordings.ts'

/** JSON Schemas that other people wrote for agents and tools, beside the project. */
const CONFORMANCE = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))

export const hasConformance = existsSync(CONFORMANCE)

export const CONFORMANCE_IS_MISSING = ' (skipped: ../shared/conformance is missing)'

/** The schemas below the folder `conformance`, where it is there. */
export function conformanceSchemas(): readonly JsonObject[] {
  if (!hasConformance) return []
  return readdirSync(CONFORMANCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.schema.json'))
    .toSorted()
    .map((path) => JSON.parse(readFileSync(join(CONFORMANCE, path), 'utf8')) as JsonObject)
}

/** The settings of the shipped plugins. */
export async function settingsSchemas(): Promise<readonly JsonObject[]> {
  const schemas = (await shippedPlugins()).map(({ plugin }) => plugin.configSchema)
  return schemas.filter((schema) => isObject(schema))
}

const OWN = ['anthropic', 'openai', 'openai-compatible']

/** The different schemas of the tools that recorded answers name. */
export function recordedSchemas(): readonly JsonObject[] {
  const found = new Map<string, JsonObject>()
  for (const { answers } of [...OWN.flatMap(ownFiles), ...sharedFiles()]) {
    for (const line of answers.flatMap(({ lines }) => lines)) {
      for (const schema of schemasIn(parsed(line))) found.set(JSON.stringify(schema), schema)
    }
  }
  return [...found.values()]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some recordings are of broken answers.
    return undefined
  }
}

function* schemasIn(value: unknown): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const isSchema = key === 'input_schema' || key === 'parameters'
    if (isSchema && isObject(inner)) yield inner
    else yield* schemasIn(inner)
  }
}
