import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_NAMES, findLayers, keepingTrust, userConfigFile } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { visible } from './characters.ts'
import { discoverHere } from './discover-here.ts'
import { EXIT } from './exit.ts'

/** Providers that need only an API key in an environment variable, in the order in which they are tried. */
const KEYED = [
  ['OPENAI_API_KEY', 'openai'],
  ['ANTHROPIC_API_KEY', 'anthropic'],
] as const

/** The keys that a project's config replaces as a whole, and that a first one would set. */
const REPLACING = ['provider', 'plugins'] as const
type Replacing = (typeof REPLACING)[number]

/**
 * `braidwork init`: writes a first config file to the working directory, and trusts its present content. What the user's
 * own config sets, and the file would replace, stays out of the file.
 */
export function initCommand(): number {
  const folder = process.cwd()
  const there = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (there !== undefined)
    throw new HostError('CONFIG_INVALID', `This folder already has a config file: ${there}`)
  const file = join(folder, 'braidwork.jsonc')
  const kept = keptKeys(folder)
  const content = contentFor(chooseProvider(), kept)
  keepingTrust(file, () => writeFileSync(file, content, { flag: 'wx' }), true)
  const keys = kept.map((key) => JSON.stringify(key)).join(', ')
  const note =
    kept.length > 0 ? `not set, as your own config does: ${keys} (${userConfigFile()})\n` : ''
  process.stdout.write(
    `wrote ${visible(file)}\n${visible(note)}next: braidwork config check, braidwork settings --edit, braidwork chat "Hello"\n`,
  )
  return EXIT.ok
}

/** The keys that the user's own config sets. @throws {HostError} CONFIG_INVALID for a fault in that config */
function keptKeys(folder: string): readonly Replacing[] {
  const { layers } = findLayers({ from: folder, walksUp: false })
  const own = layers.filter(({ from }) => from === 'user')
  return REPLACING.filter((key) => own.some(({ config }) => config[key] !== undefined))
}

function chooseProvider(): string {
  const found = new Set(discoverHere().plugins.map(({ name }) => name))
  const keyed = KEYED.find(([variable, name]) => process.env[variable] && found.has(name))
  return keyed?.[1] ?? 'scripted'
}

function contentFor(provider: string, kept: readonly Replacing[]): string {
  return `{
  // For completion and checks in an editor, run: braidwork config schema > braidwork.schema.json
  "$schema": "./braidwork.schema.json",

  // "braidwork plugins" lists the available plugins, "braidwork models" the models.
${member('provider', provider, kept)}

  // Paths and packages of more plugins to load.
${member('plugins', [], kept)}
  "enabled_plugins": { "add": [], "remove": [] },

  // Settings of plugins. Read secrets from the environment: "api_key": "\${env:OPENAI_API_KEY}".
  "settings": {}
}
`
}

/** The line of a key. It is a comment if the user's own config sets the key, which the line would replace. */
function member(key: Replacing, value: unknown, kept: readonly Replacing[]): string {
  const line = `${JSON.stringify(key)}: ${JSON.stringify(value)},`
  if (!kept.includes(key)) return `  ${line}`
  return `  // Your own config sets this. A line here would replace it:\n  // ${line}`
}
