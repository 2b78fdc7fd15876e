import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_NAMES, keepingTrust } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { visible } from './characters.ts'
import { discoverHere } from './discover-here.ts'
import { EXIT } from './exit.ts'

/** Providers that work as soon as a variable has a key, in the order in which they are tried. */
const KEYED = [
  ['OPENAI_API_KEY', 'openai'],
  ['ANTHROPIC_API_KEY', 'anthropic'],
] as const

/** `braidwork init`: a first config file in the working directory, which is trusted as it is. */
export function initCommand(): number {
  const folder = process.cwd()
  const there = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (there !== undefined) throw new HostError('CONFIG_INVALID', `There is one already: ${there}`)
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
  // An editor completes and checks this file by the output of: braidwork config schema > braidwork.schema.json
  "$schema": "./braidwork.schema.json",

  // "braidwork plugins" lists what there is, "braidwork models" the models.
  "provider": ${JSON.stringify(provider)},

  // Paths and packages of further plugins; ids that are on beside those that are on by default.
  "plugins": [],
  "enabled_plugins": { "add": [], "remove": [] },

  // Settings of plugins. A secret comes from the environment: "api_key": "\${env:OPENAI_API_KEY}".
  "settings": {}
}
`
}
