import type { Edit, Explanation, Obstacle } from '@braidwork/core'
import { isPath } from '@braidwork/core/internal'
import type { Diagnostic } from '@braidwork/plugin'
import { jsonText, visible } from './characters.ts'
import { discoverHere } from './discover-here.ts'
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
  const explanations = await host.explain({}, plugin === undefined ? {} : { plugin })
  // Every plugin is loaded now, so that the diagnostics tell of each that could not be.
  const resolution = await host.resolve()
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
  if (plugin === undefined) {
    const told = [...diagnostics, ...resolution.diagnostics]
    rows.push(...failedRows(told, new Set(explanations.map((entry) => entry.plugin))))
  }
  process.stdout.write(table(rows, dim))
  return EXIT.ok
}

/** The codes of plugins that are off because they could not be loaded. */
const FAILED = new Set([
  'MANIFEST_INVALID',
  'PACKAGE_MISMATCH',
  'PACKAGE_MISSING',
  'PLUGIN_INVALID',
  'PLUGIN_NOT_LOADED',
  'PYTHON_ENVIRONMENT_MISSING',
  'PYTHON_MISSING',
])

function failedRows(told: readonly Diagnostic[], known: ReadonlySet<string>): string[][] {
  const failures = told.flatMap(({ code, plugin = '' }): [string, string][] =>
    FAILED.has(code) && plugin !== '' && !isPath(plugin) && !known.has(plugin)
      ? [[plugin, code]]
      : [],
  )
  const kinds = new Map(discoverHere().plugins.map(({ name, kind }) => [name, kind]))
  return [...new Map(failures)].map(([name, code]) => {
    return [name, kinds.get(name) ?? '-', 'off', '-', `not loaded: ${code}`, 'see the error above']
  })
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
  const isCut = searched !== undefined
  if (change === null) {
    return isCut
      ? `none found, but not all of ${searched + 1} or more edits were tried`
      : whyNone(obstacle)
  }
  // A change that keeps the provider is shown rather than one that does not.
  const shown = change.find((edits) => !edits.some((edit) => 'provider' in edit)) ?? change[0] ?? []
  const others = change.length - 1
  const ways = `${isCut ? 'at least ' : ''}${others} other ${others === 1 ? 'way' : 'ways'}`
  return `${shown.map(editText).join(' and ')}${others > 0 ? ` (or ${ways})` : ''}`
}

/** The reason why no change of lists, provider or model turns a plugin on. */
function whyNone(obstacle: Obstacle | undefined): string {
  const { rule, tags = [], unprovided = [], reads = [] } = obstacle ?? {}
  if (unprovided.length > 0) return `nothing: no plugin provides ${unprovided.join(', ')}`
  if (rule === 'missing tags') return `no change of at most 4 edits provides ${tags.join(', ')}`
  if (rule === 'forbidden tags') return `no change of at most 4 edits removes ${tags.join(', ')}`
  if (rule === 'threw') return 'nothing: one of its hooks throws an error'
  if (rule === 'other provider') return 'nothing: no provider that it works with is registered'
  if (rule !== 'own verdict') return 'no change of at most 4 edits turns it on'
  const keys = reads.filter((pointer) => pointer !== '').map(keyOf)
  return `nothing: it turns itself off${keys.length > 0 ? ` (it reads ${keys.join(', ')})` : ''}`
}

/** The config key at a JSON pointer, as `--set` takes it. */
function keyOf(pointer: string): string {
  // A provider that the config does not name is read as an empty key.
  const names = pointer.split('/').filter((name) => name !== '')
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

function editText(edit: Edit): string {
  if (edit.edit !== 'set') {
    const preposition = edit.edit === 'add' ? 'to' : 'from'
    return `${edit.edit} "${edit.plugin}" ${preposition} ${edit.list}`
  }
  if (edit.key === 'model') return `set model to "${edit.model}"`
  const { provider, model } = edit
  return `set provider to "${provider}"${model === undefined ? '' : ` and model to "${model}"`}`
}
