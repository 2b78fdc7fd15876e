import { didYouMean, type PackagedPlugin } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { openHost } from '../open-host.ts'

/** What a tag may consist of, to be written into code. */
const TAG = /^[\w.:-]+$/

/**
 * The tags that a provider has with the config of this folder, in order.
 * @param found - the plugins that are found from here
 * @throws {HostError} PROVIDER_UNKNOWN, or what the provider throws
 */
export async function tagsOfProvider(
  provider: string,
  found: readonly PackagedPlugin[],
): Promise<readonly string[]> {
  const providers = found.filter(({ kind }) => kind === 'provider').map(({ name }) => name)
  if (!providers.includes(provider)) {
    const known = providers.map((name) => `"${name}"`).join(', ')
    throw new HostError(
      'PROVIDER_UNKNOWN',
      `No provider "${provider}" is found from here.${didYouMean(provider, providers)} There are ${known}.`,
    )
  }
  const { host } = await openHost({ provider })
  await using _ = host
  // Other plugins may have tags of their own.
  const others = host.plugins.map(({ name }) => name).filter((name) => name !== provider)
  const { tags } = await host.resolve({ disabled_plugins: others })
  return [...tags].filter((tag) => TAG.test(tag)).sort()
}
