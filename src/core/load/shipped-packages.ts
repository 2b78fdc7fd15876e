import type { Kind } from '@braidwork/plugin'

/** The names of the plugins that Braidwork ships, by kind. Each has a package of its own. */
export const SHIPPED_PLUGINS = {
  provider: ['ai-sdk', 'anthropic', 'llm', 'openai', 'openai-compatible', 'scripted', 'smollm'],
  extension: [
    'citations',
    'guard',
    'prompt-cache',
    'redact',
    'smooth-stream',
    'think-tags',
    'usage-cost',
    'word-filter',
  ],
  feature: [
    'doc-context',
    'instructions',
    'mcp-resources',
    'memory',
    'structured-output',
    'trim-history',
  ],
  tool: [
    'ask-user',
    'calculator',
    'clock',
    'fetch',
    'files',
    'llm-tools',
    'mcp',
    'python-eval',
    'search-docs',
  ],
} as const satisfies Readonly<Record<Kind, readonly string[]>>

/** The packages of the shipped plugins, by the plugin's name. */
export const SHIPPED_PACKAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(SHIPPED_PLUGINS).flatMap(([kind, names]) =>
    names.map((name) => [name, `@braidwork/${kind}-${name}`] as const),
  ),
)

/** The package of a shipped plugin, for the plugin's name or for that of its package. */
export function shippedPackage(reference: string): string | undefined {
  const packages = [...SHIPPED_PACKAGES.values()]
  return SHIPPED_PACKAGES.get(reference) ?? packages.find((name) => name === reference)
}
