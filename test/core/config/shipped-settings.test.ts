import { expect } from 'chai'
import { shippedPlugins } from '../../../scripts/shipped-plugins.ts'
import { type ConfigLayer, createHost, type Host, HostError } from '../../../src/core/index.ts'
import type { Plugin } from '../../../src/plugin/index.ts'
import { sampledByCommit } from '../../helpers/cases.ts'

/** One value of each form, so that each setting gets some that it does not take. */
const FORMS = [null, true, 7, 'x', [], [7], [null], [{}], {}, { a: null }] as const

/** A config for each setting of a plugin and each form. */
function configsFor({ kind, name, configSchema }: Plugin): readonly ConfigLayer[] {
  const { properties = {} } = (configSchema ?? {}) as { properties?: object }
  const chosen =
    kind === 'provider'
      ? { provider: name }
      : { provider: 'scripted', force_enabled_plugins: [name] }
  return Object.keys(properties).flatMap((key) =>
    FORMS.map((value) => ({ ...chosen, settings: { [name]: { [key]: value } } })),
  )
}

/** The code of the error of a resolution, or of a plugin that is off for another reason than its settings. */
async function codeOf(host: Host, config: ConfigLayer): Promise<string | undefined> {
  try {
    const { diagnostics } = await host.resolve(config)
    return diagnostics.find(({ code, pointer }) => code === 'PLUGIN_THREW' && !pointer)?.code
  } catch (error) {
    return HostError.is(error) ? error.code : String(error)
  }
}

describe('settings of shipped plugins', () => {
  it('of any form fail as settings, and in no hook', async () => {
    const shipped = (await shippedPlugins()).map(({ plugin }) => plugin)
    const host = await createHost({ plugins: shipped })
    for (const config of sampledByCommit(shipped.flatMap(configsFor), 4)) {
      expect(await codeOf(host, config), JSON.stringify(config)).to.be.oneOf([
        undefined,
        'SETTINGS_INVALID',
      ])
    }
    await host.close()
  })
})
