import { settingsOf } from '@braidwork/model-api'
import type { Config, JsonObject } from '@braidwork/plugin'
import { ANTHROPIC } from '../profile.ts'

const HEADER = 'anthropic-version'

/**
 * Fields that the API refuses from version 2026-10-21 on. The SDK requests that version, but older models still
 * accept the fields (https://platform.claude.com/docs/en/api/migration-2026-10-21).
 */
const OLD_FIELDS = ['temperature', 'top_p', 'top_k']

/** Requests an API version that accepts the body's fields, unless the settings name a version. */
export function versionHeaders(
  body: JsonObject,
  config: Config,
): { readonly [name: string]: string } {
  const { headers = {} } = settingsOf(config, ANTHROPIC)
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === HEADER)
  const isOld = OLD_FIELDS.some((field) => body[field] !== undefined)
  return isOld && !isNamed ? { [HEADER]: '2023-06-01' } : {}
}
