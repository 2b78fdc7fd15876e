import type { Edit, Explanation } from '@braidwork/core'
import { jsonText, visible } from './characters.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'
import { stylesOf, table } from './terminal.ts'

export interface ExplainCommandOptions extends ConfigOptions {
  readonly json?: boolean
}

/** `braidwork explain [plugin]`: prints which plugins are on for the config, and why. */
export async function explainCommand(
  plugin: string | undefined,
  options: ExplainCommandOptions,
): Promise<number> {
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  const resolution = await host.resolve()
  const explanations = await host.explain({}, plugin === undefined ? {} : { plugin })
  reportDiagnostics([...diagnostics, ...resolution.diagnostics], true)
  if (options.json) {
    process.stdout.write(`${jsonText({ ...resolution, explain: explanations }, 2)}\n`)
    return EXIT.ok
  }
  const { bold, dim } = stylesOf(process.stdout)
  const { model = 'none', tags, rounds } = resolution
  const head = `provider ${resolution.provider}, model ${model}, tags ${tags.join(' ') || 'none'}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  process.stdout.write(`${bold(visible(head))}\n\n`)
  const rows = [['PLUGIN', 'KIND', '', 'ROUND', 'WHY', 'TO TURN IT ON'], ...explanations.map(rowOf)]
  process.stdout.write(table(rows, dim))
  return EXIT.ok
}

function rowOf(entry: Explanation): string[] {
  const round = entry.round === 0 ? '-' : String(entry.round)
  return [entry.plugin, entry.kind, entry.on ? 'on' : 'off', round, whyOf(entry), changeOf(entry)]
}

function whyOf({ rule, tags }: Explanation): string {
  if (rule === 'missing tags') {
    const missing = tags.filter((tag) => tag.need === 'required' && !tag.present)
    return `missing tags: ${missing.map(({ tag, wouldBeProvidedBy }) => `${tag}${by('would be provided by', wouldBeProvidedBy)}`).join(', ')}`
  }
  if (rule === 'forbidden tags') {
    const forbidden = tags.filter((tag) => tag.need === 'forbidden' && tag.present)
    return `forbidden tags: ${forbidden.map(({ tag, providedBy }) => `${tag}${by('provided by', providedBy)}`).join(', ')}`
  }
  const required = tags.filter((tag) => tag.need === 'required').map(({ tag }) => tag)
  return rule === 'tags' && required.length > 0 ? `tags: has ${required.join(', ')}` : rule
}

function by(verb: string, plugins: readonly string[]): string {
  return plugins.length === 0 ? '' : ` (${verb} ${plugins.join(', ')})`
}

function changeOf({ plugin, kind, rule, on, change, searched }: Explanation): string {
  if (on) return ''
  if (kind === 'provider' && rule === 'other provider') return `provider "${plugin}"`
  if (searched === false) return 'no way found within 2,000 tries'
  if (change === null) return 'no change of lists or model does'
  const [first, ...others] = change
  const more = others.length > 0 ? ` (or ${others.length} other ways)` : ''
  return `${(first ?? []).map(editText).join(' and ')}${more}`
}

function editText(edit: Edit): string {
  if (edit.edit === 'set') return `model "${edit.model}"`
  const preposition = edit.edit === 'add' ? 'to' : 'from'
  return `${edit.edit} "${edit.plugin}" ${preposition} ${edit.list}`
}
