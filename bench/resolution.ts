import { type ConfigLayer, createHost } from '@braidwork/core'
import { median, type Row } from './measure.ts'

type Plugin = { readonly kind: string; readonly name: string; readonly [member: string]: unknown }

const PROVIDER: Plugin = {
  kind: 'provider',
  name: 'p',
  stream: () => [],
  getModels: () => ['m'],
  getTags: () => ['text', 'tools'],
}

/** Plugins of all kinds that provide, require and forbid a tag each, one round and no more. */
function ordinary(count: number): Plugin[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: ['extension', 'feature', 'tool'][index % 3] ?? 'tool',
    name: `plugin-${index}`,
    requiredTags: ['text'],
    forbiddenTags: ['nothing-has-it'],
    getTags: () => [`tag-${index}`],
  }))
}

/** Plugins that each need the one before, the first of which needs what nobody provides: one goes a round. */
function losing(count: number): Plugin[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'feature',
    name: `link-${index}`,
    requiredTags: [`tag-${index - 1}`],
    getTags: () => [`tag-${index}`],
  }))
}

async function millisecondsOf(plugins: readonly Plugin[], repeats: number): Promise<number> {
  const host = await createHost({ plugins: [PROVIDER, ...plugins] })
  const config: ConfigLayer = {}
  const samples: number[] = []
  for (let sample = 0; sample < 10; sample++) {
    const start = performance.now()
    for (let repeat = 0; repeat < repeats; repeat++) await host.resolve(config)
    samples.push((performance.now() - start) / repeats)
  }
  // The first sample is the warm-up.
  return median(samples.slice(1))
}

/** `host.resolve`, trace included, warm. */
export async function resolution(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [what, plugins, repeats] of CASES) {
    const value = await millisecondsOf(plugins, repeats)
    rows.push({ group: 'resolution', what, value, unit: 'ms' })
  }
  return rows
}

const CASES = [
  ['10 plugins', ordinary(10), 1000],
  ['50 plugins', ordinary(50), 1000],
  ['100 plugins', ordinary(100), 500],
  ['1,000 plugins', ordinary(1000), 50],
  ['200 plugins, one dropped a round', losing(200), 100],
  ['10,000 plugins, one dropped a round', losing(10_000), 4],
] as const
