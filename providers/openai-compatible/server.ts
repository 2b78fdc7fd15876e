import {
  type Access,
  type ChatServer,
  COMMON,
  type Fetch,
  type Profile,
  withoutEndSlashes,
} from '@braidwork/model-api'
import type { Config } from '@braidwork/plugin'
import { dialectOf, PRESETS, type Preset } from './presets.ts'
import { NAME, settingsOf, VARIABLE } from './settings.ts'

/** The preset of a config, where it names one. */
export function presetOf(config: Config): Preset | undefined {
  const { preset } = settingsOf(config)
  return preset !== undefined && Object.hasOwn(PRESETS, preset) ? PRESETS[preset] : undefined
}

/** The server of a config, as messages and errors name it. */
function profileOf(config: Config): Profile {
  const { preset: name, base_url = '' } = settingsOf(config)
  const preset = presetOf(config)
  if (!preset)
    return {
      name: NAME,
      title: 'The server',
      variable: VARIABLE,
      baseUrl: '',
      server: hostOf(base_url),
    }
  const { title, baseUrl, variable = VARIABLE } = preset
  const keySetting = preset.variable ? `api_keys.${name}` : 'api_key'
  return { name: NAME, title, variable, baseUrl, keySetting, server: String(name) }
}

/** Tells servers apart that have no preset. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** The server of a config, as one of its models is asked. */
export function serverOf(config: Config, model: string): ChatServer {
  const preset = presetOf(config)
  return {
    profile: profileOf(config),
    dialect: preset ? dialectOf(preset, model) : COMMON,
    reasons: (id) => preset?.reasons.test(id) ?? false,
    fields: () => ({}),
  }
}

/** The way to the server. The key of a preset wins over `api_key`, and goes to the preset's own address alone. */
export function accessOf(config: Config, fetch: Fetch | undefined): Access {
  const settings = settingsOf(config)
  const profile = profileOf(config)
  const { api_key, api_keys = {}, base_url = profile.baseUrl, preset = '' } = settings
  const isOwn = withoutEndSlashes(base_url) === profile.baseUrl
  const key = (isOwn ? api_keys[preset] : undefined) ?? api_key
  return { profile, settings: key === undefined ? settings : { ...settings, api_key: key }, fetch }
}
