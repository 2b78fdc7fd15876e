import {
  type Access,
  type ChatServer,
  COMMON,
  digestOf,
  type Fetch,
  type Profile,
  withoutEndSlashes,
} from '@braidwork/model-api'
import type { Config } from '@braidwork/plugin'
import { dialectOf, PRESETS, type Preset } from './presets.ts'
import { NAME, settingsOf, VARIABLE } from './settings.ts'

/** The preset that a config names, if any. */
export function presetOf(config: Config): Preset | undefined {
  const { preset } = settingsOf(config)
  return preset !== undefined && Object.hasOwn(PRESETS, preset) ? PRESETS[preset] : undefined
}

/** The server's names in messages and errors, for a config. */
function profileOf(config: Config): Profile {
  const { preset: name, base_url = '' } = settingsOf(config)
  const preset = presetOf(config)
  if (!preset)
    return {
      name: NAME,
      title: 'The server',
      variable: VARIABLE,
      baseUrl: '',
      server: digestOf(base_url),
    }
  const { title, baseUrl, variable = VARIABLE, connect } = preset
  const own = connect === undefined ? {} : { connect }
  const key = preset.variable ? { keySetting: ['api_keys', String(name)] } : {}
  return { name: NAME, title, variable, baseUrl, ...key, server: String(name), ...own }
}

/** The facts of a config's server for one of its models. */
export function serverOf(config: Config, model: string): ChatServer {
  const preset = presetOf(config)
  return {
    profile: profileOf(config),
    dialect: preset ? dialectOf(preset, model) : COMMON,
    reasons: (id) => preset?.reasons.test(id) ?? false,
    fields: () => ({}),
  }
}

/**
 * The server's address and key. A preset's own key takes precedence over `api_key`, and is sent only to the preset's
 * address.
 */
export function accessOf(config: Config, fetch: Fetch | undefined): Access {
  const settings = settingsOf(config)
  const profile = profileOf(config)
  const { api_key, api_keys = {}, base_url = profile.baseUrl, preset = '' } = settings
  const isOwn = withoutEndSlashes(base_url) === profile.baseUrl
  const key = isOwn ? api_keys[preset] : undefined
  if (key !== undefined) return { profile, settings: { ...settings, api_key: key }, fetch }
  const keySetting = ['api_key']
  return { profile: api_key === undefined ? profile : { ...profile, keySetting }, settings, fetch }
}
