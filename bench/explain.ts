import { createHost, type Host } from '@braidwork/core'
import promptCache from '@braidwork/extension-prompt-cache'
import structuredOutput from '@braidwork/feature-structured-output'
import type { Config } from '@braidwork/plugin'
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

/** Plugins whose tags depend on the model. Every fifth is off, and the next one needs its tag. */
function fickle(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    kind: KINDS[at % KINDS.length] ?? 'tool',
    name: `plugin-${at}`,
    defaultEnabled: at % 5 !== 0,
    requiredTags: [at % 5 === 1 ? `tag-${at - 1}` : 'text'],
    getTags: ({ model }: Config) => [`tag-${at}`, ...(model === 'scripted-mini' ? ['mini'] : [])],
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
  const many = await Promise.all([
    allOf('plugins that are off', off(500)),
    allOf('plugins that are off', off(5000)),
    allOf('plugins whose tags depend on the model', fickle(500)),
    allOf('plugins whose tags depend on the model', fickle(5000)),
  ])
  const times = await inTurns([...ones, ...many], cpuOf)
  const counts = new Map(many.map(({ what, count }) => [what, count]))
  return [...times].flatMap(([what, value]): Row[] => {
    const count = counts.get(what)
    const row: Row = { group: 'explain, CPU', what, value: value / 1000, unit: 'ms' }
    if (count === undefined) return [row]
    return [row, { ...row, what: `${what}, for each`, value: value / count, unit: 'µs' }]
  })
}

async function allOf(which: string, plugins: ReturnType<typeof off | typeof fickle>) {
  const host: Host = await createHost({ plugins: [scripted, ...plugins] })
  const count = plugins.length
  return { what: `all of ${count} ${which}`, count, run: () => host.explain() }
}
