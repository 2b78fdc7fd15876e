import { nearest } from '@braidwork/core/internal'
import type { Kind } from '@braidwork/plugin'

/** The plugins of this version that are not installed with the command, each in a package of its own. */
export const SHIPPED: Readonly<Record<Kind, readonly string[]>> = {
  provider: ['ai-sdk', 'anthropic', 'llm', 'openai', 'openai-compatible', 'smollm'],
  extension: [
    'citations',
    'guard',
    'prompt-cache',
    'redact',
    'smooth-stream',
    'usage-cost',
    'word-filter',
  ],
  feature: ['doc-context', 'mcp-resources', 'memory', 'structured-output', 'trim-history'],
  tool: ['fetch', 'files', 'llm-tools', 'mcp', 'python-eval', 'search-docs'],
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
