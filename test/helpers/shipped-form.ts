import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { type ConfigLayer, createHost, type Host } from '../../src/index.ts'

/** A host of all shipped plugins, and a config with all of them that need no more. */
export async function hostOfAll(): Promise<{ readonly host: Host; readonly config: ConfigLayer }> {
  const plugins = (await shippedPlugins()).map(({ plugin }) => plugin)
  const names = plugins.filter(({ kind }) => kind !== 'provider').map(({ name }) => name)
  const host = await createHost({ plugins })
  const settings = {
    openai: { api_key: 'sk-open-sesame' },
    files: { root: '.' },
    'search-docs': { root: '.' },
    instructions: { text: 'The office is in Ulm.' },
  }
  return { host, config: { provider: 'openai', enabled_plugins: names, settings } }
}
