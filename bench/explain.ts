import { createHost, type Host } from '@braidwork/core'
import promptCache from '@braidwork/extension-prompt-cache'
import structuredOutput from '@braidwork/feature-structured-output'
import anthropic from '@braidwork/provider-anthropic'
import openai from '@braidwork/provider-openai'
import scripted from '@braidwork/provider-scripted'
import calculator from '@braidwork/tool-calculator'
import { cpuOf, inTurns, type Row } from './measure.ts'

const KINDS = ['extension', 'feature', 'tool'] as const
const SHIPPED = [anthropic, openai, scripted, promptCache, structuredOutput, calculator]

/** Plugins that are off by default. Every second one needs the tag of the one before. */
function off(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    kind: KINDS[at % KINDS.length] ?? 'tool',
    name: `plugin-${at}`,
    defaultEnabled: false,
    requiredTags: [at % 2 === 0 ? 'text' : `tag-${at - 1}`],
    getTags: () => [`tag-${at}`],
  }))
}

/** The CPU of `host.explain`, warm: the smallest change for one plugin, and for all of many that are off. */
export async function explain(): Promise<readonly Row[]> {
  const shipped = await createHost({ plugins: SHIPPED })
  const config = { provider: 'scripted', model: 'scripted-mini' }
  const names = ['prompt-cache', 'structured-output', 'calculator']
  const ones = names.map((plugin) => ({
    what: plugin,
    run: () => shipped.explain(config, { plugin }),
  }))
  const many = await Promise.all([500, 5000].map(allOf))
  const times = await inTurns([...ones, ...many], cpuOf)
  return [...times].map(([what, value]) => {
    return { group: 'explain, CPU', what, value: value / 1000, unit: 'ms' }
  })
}

async function allOf(count: number) {
  const host: Host = await createHost({ plugins: [scripted, ...off(count)] })
  return { what: `all of ${count} plugins that are off`, run: () => host.explain() }
}
