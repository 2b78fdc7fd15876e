import { type Config, isObject } from '@braidwork/plugin'
import { readableSettingsSchema } from '../config/index.ts'
import type { Resolved } from '../resolve/index.ts'

/** What one request changes in the opened config. */
export interface AskedChanges {
  /** Replaces `tool_choice` of the config for this request only, for example to force one call. */
  readonly toolChoice?: Config['tool_choice'] | undefined
  /** Whether the caller repeats requests that fail. The provider then does not: its `max_retries` is 0. AW-21 */
  readonly isRepeated?: boolean | undefined
  /** Replaces `limits.stream_idle` of the config for this request only, in seconds. */
  readonly streamIdle?: number | undefined
  /** How long the model API may ask to wait, in seconds, if the config does not set `limits.retry_after`. */
  readonly retryAfter?: number | undefined
}

/** The config of a request. It is the opened one if nothing changes. */
export function askedConfig(resolved: Resolved, changes: AskedChanges = {}): Config {
  const { config, plugins } = resolved
  const { toolChoice, isRepeated = false } = changes
  const { name } = plugins.provider
  const settings = { ...config.settings, [name]: { ...config.settings?.[name], max_retries: 0 } }
  const changed = {
    ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    ...(isRepeated && hasRetries(resolved) ? { settings } : {}),
    ...askedLimits(config, changes),
  }
  return Object.keys(changed).length === 0 ? config : { ...config, ...changed }
}

function askedLimits(
  { limits }: Config,
  { streamIdle, retryAfter }: AskedChanges,
): Pick<Config, 'limits'> {
  const changed = {
    ...(streamIdle === undefined ? {} : { stream_idle: streamIdle }),
    ...(retryAfter === undefined || limits?.retry_after !== undefined
      ? {}
      : { retry_after: retryAfter }),
  }
  return Object.keys(changed).length === 0 ? {} : { limits: { ...limits, ...changed } }
}

/** Whether the provider of a config has a setting `max_retries`, so that it repeats requests itself. */
export function hasRetries({ plugins }: Resolved): boolean {
  const properties = readableSettingsSchema(plugins.provider)?.['properties']
  return isObject(properties) && Object.hasOwn(properties, 'max_retries')
}
