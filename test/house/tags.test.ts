import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PRESETS } from '../../providers/openai-compatible/presets.ts'
import { type ShippedPlugin, shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { TAGS_PATH, tagsPage } from '../../scripts/tags-page.ts'
import type { Config } from '../../src/plugin/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { pythonOf } from '../helpers/python.ts'

/** Keys of the config with which a provider has other tags. */
const CONFIGS: { readonly [provider: string]: readonly Config[] } = {
  smollm: [{}, { tool_choice: 'required' }],
}

/** A provider whose models are packages of the user. Its own test has them, and all tags of the manifest. */
const OF_INSTALLED_MODELS = 'llm'

/** Settings with which a provider has other tags; each is asked with every model on offer. */
const SETTINGS: { readonly [provider: string]: readonly object[] } = {
  'ai-sdk': [{}],
  anthropic: [{}, { hosted_tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  openai: [{}, { api: 'chat' }, { hosted_tools: [{ type: 'web_search' }] }],
  'openai-compatible': Object.keys(PRESETS).map((preset) => ({ preset })),
  scripted: [{}],
}

async function tagsOf(
  { name, plugin }: ShippedPlugin,
  settings: object,
  more: Config,
): Promise<string[]> {
  const config: Config = { ...more, settings: { [name]: { ...settings } } }
  const models = plugin.kind === 'provider' ? ((await plugin.getModels?.(config)) ?? []) : []
  const asked = models.length > 0 ? models : [undefined]
  const tags = asked.map(async (model) =>
    plugin.getTags?.({ ...config, ...(model ? { model } : {}) }, models),
  )
  return (await Promise.all(tags)).flatMap((own) => [...(own ?? [])])
}

/** All tags that a plugin provides with its configs, each once. */
async function allTagsOf(shipped: ShippedPlugin): Promise<string[]> {
  const settings = SETTINGS[shipped.name] ?? [{}]
  const configs = CONFIGS[shipped.name] ?? [{}]
  const tags = settings.flatMap((own) => configs.map((more) => tagsOf(shipped, own, more)))
  return [...new Set((await Promise.all(tags)).flat())]
}

describe('tags', () => {
  let plugins: readonly ShippedPlugin[]
  before(async function () {
    await pythonOf(this)
    plugins = await shippedPlugins()
  })

  it('that something shipped needs are provided by something shipped', () => {
    const provided = new Set(plugins.flatMap(({ provides }) => provides))
    const needed = plugins.flatMap(({ name, needs }) => needs.map((tag) => ({ name, tag })))
    expect(needed).to.have.length.above(5)
    expect(needed.filter(({ tag }) => !provided.has(tag))).to.deep.equal([])
  })

  it('of the manifests are those that the plugins provide', async () => {
    const all = await Promise.all(plugins.map(allTagsOf))
    for (const [at, { name, provides }] of plugins.entries()) {
      const found = all[at] ?? []
      if (name === OF_INSTALLED_MODELS) expect(provides).to.include.members(found)
      else expect(found, name).to.have.members([...provides])
    }
  })

  it('stand in the README of each plugin', () => {
    for (const { folder, provides, needs, forbids } of plugins) {
      const readme = readFileSync(join(folder, 'README.md'), 'utf8')
      const tags = [...provides, ...needs, ...forbids]
      const missing = tags.filter((tag) => !readme.includes(`\`${tag}\``))
      expect(missing, folder).to.deep.equal([])
      for (const word of ['provides', 'needs', 'forbids']) expect(readme, folder).to.include(word)
    }
  })

  it('switch plugins off in the rounds that the example of docs/tags.md has', async () => {
    const plugins = [
      { kind: 'extension', name: 'speaker', requiredTags: ['text'], getTags: () => ['speech'] },
      { kind: 'extension', name: 'phone', requiredTags: ['tools'], getTags: () => ['calls'] },
      { kind: 'feature', name: 'call-log', requiredTags: ['calls'] },
    ]
    const host = await scriptedHost(plugins)
    const { trace } = await host.resolve({ model: 'scripted-mini' })
    await host.close()
    const off = trace.filter(({ on }) => !on).map(({ plugin, round }) => [plugin, round])
    expect(off).to.deep.equal([
      ['phone', 1],
      ['call-log', 2],
    ])
  })

  it('are what docs/tags.md says; run "npm run docs" where this fails', () => {
    expect(readFileSync(TAGS_PATH, 'utf8')).to.equal(tagsPage(plugins))
  })
})
