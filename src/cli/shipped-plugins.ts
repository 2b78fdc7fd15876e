import { nearest, SHIPPED_PLUGINS } from '@braidwork/core/internal'
import type { Kind } from '@braidwork/plugin'

/** The plugins that are installed with the command. */
const INSTALLED: ReadonlySet<string> = new Set([
  'ask-user',
  'calculator',
  'clock',
  'instructions',
  'scripted',
  'think-tags',
])

/** The plugins of this version that are not installed with the command, each in a package of its own. */
export const SHIPPED: Readonly<Record<Kind, readonly string[]>> = {
  provider: others('provider'),
  extension: others('extension'),
  feature: others('feature'),
  tool: others('tool'),
}

function others(kind: Kind): readonly string[] {
  return SHIPPED_PLUGINS[kind].filter((name) => !INSTALLED.has(name))
}

/**
 * Says which package has a plugin that is not registered. A name that is spelled wrong gets the plugin that was probably
 * meant.
 * @param kinds the kinds that the plugin may have; all by default
 * @returns nothing if no package of this version has a plugin of that or a similar name
 */
export function packageAdvice(
  name: string,
  kinds: readonly Kind[] = ['provider', 'extension', 'feature', 'tool'],
): string | undefined {
  const all = kinds.flatMap((kind) => SHIPPED[kind].map((shipped) => [shipped, kind] as const))
  const packages = new Map(all)
  const meant = packages.has(name) ? name : nearest(name, packages.keys())
  const kind = packages.get(meant ?? '')
  if (meant === undefined || kind === undefined) return undefined
  const known = `@braidwork/${kind}-${meant}`
  const subject = meant === name ? 'It' : `Did you mean "${meant}"? That`
  return `${subject} is in the package ${known}. To install it: npm install ${known}`
}

/**
 * The advice of {@link packageAdvice} beside a message. A similar name that the message itself suggests is registered,
 * so its package is installed.
 */
export function adviceBeside(
  message: string,
  name: string,
  kinds?: readonly Kind[],
): string | undefined {
  const advice = packageAdvice(name, kinds)
  const isSimilar = advice?.startsWith('Did you mean "') ?? false
  return isSimilar && message.includes('Did you mean "') ? undefined : advice
}
