import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_NAMES, keepingTrust } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { visible } from './characters.ts'
import { discoverHere } from './discover-here.ts'
import { EXIT } from './exit.ts'

/** Providers that need only an API key in an environment variable, in the order in which they are tried. */
const KEYED = [
  ['OPENAI_API_KEY', 'openai'],
  ['ANTHROPIC_API_KEY', 'anthropic'],
] as const

/** `braidwork init`: writes a first config file to the working directory, and trusts its present content. */
export function initCommand(): number {
  const folder = process.cwd()
  const there = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (there !== undefined)
    throw new HostError('CONFIG_INVALID', `This folder already has a config file: ${there}`)
  const file = join(folder, 'braidwork.jsonc')
  const content = contentFor(chooseProvider())
  keepingTrust(file, () => writeFileSync(file, content, { flag: 'wx' }), true)
  process.stdout.write(
    `wrote ${visible(file)}\nnext: braidwork config check, braidwork settings --edit, braidwork chat "Hello"\n`,
  )
  return EXIT.ok
}

function chooseProvider(): string {
  const found = new Set(discoverHere().plugins.map(({ name }) => name))
  const keyed = KEYED.find(([variable, name]) => process.env[variable] && found.has(name))
  return keyed?.[1] ?? 'scripted'
}

function contentFor(provider: string): string {
  return `{
  // For completion and checks in an editor, run: braidwork config schema > braidwork.schema.json
  "$schema": "./braidwork.schema.json",

  // "braidwork plugins" lists the available plugins, "braidwork models" the models.
  "provider": ${JSON.stringify(provider)},

  // Paths and packages of more plugins to load.
  "plugins": [],
  "enabled_plugins": { "add": [], "remove": [] },

  // Settings of plugins. Read secrets from the environment: "api_key": "\${env:OPENAI_API_KEY}".
  "settings": {}
}
`
}
