import type { Edit, Explanation, Obstacle } from '@braidwork/core'
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

function changeOf({ on, change, obstacle, searched }: Explanation): string {
  if (on) return ''
  if (change === null) return searched === false ? 'none found within the limit' : whyNone(obstacle)
  const [first = [], ...others] = change
  const ways = `${others.length} other ${others.length === 1 ? 'way' : 'ways'}`
  const more = others.length > 0 ? ` (or ${searched === false ? 'at least ' : ''}${ways})` : ''
  return `${first.map(editText).join(' and ')}${more}`
}

/** The reason why no change of lists, provider or model turns a plugin on. */
function whyNone(obstacle: Obstacle | undefined): string {
  const { rule, tags, unprovided } = obstacle ?? { rule: undefined, tags: [], unprovided: [] }
  if (unprovided.length > 0) return `nothing: no plugin provides ${unprovided.join(', ')}`
  if (rule === 'missing tags') return `nothing: ${tags.join(', ')} stays missing`
  if (rule === 'forbidden tags') return `nothing: ${tags.join(', ')} cannot be avoided`
  if (rule === 'own verdict') return 'nothing: its isEnabled answers false'
  if (rule === 'threw') return 'nothing: one of its hooks throws an error'
  return 'no change of lists, provider or model does'
}

function editText(edit: Edit): string {
  if (edit.edit === 'set') {
    return edit.key === 'model' ? `model "${edit.model}"` : `provider "${edit.provider}"`
  }
  const preposition = edit.edit === 'add' ? 'to' : 'from'
  return `${edit.edit} "${edit.plugin}" ${preposition} ${edit.list}`
}
