import { HostError } from '@braidwork/plugin'
import { didYouMean } from '../../suggest.ts'
import type { SettingsDocument } from '../settings-document.ts'
import { type JsonFormsView, jsonFormsView } from './jsonforms.ts'
import { type McpView, mcpView } from './mcp.ts'
import { type RjsfView, rjsfView } from './rjsf.ts'
import { type ValvesView, valvesView } from './valves.ts'
import { type VsCodeView, vsCodeView } from './vscode.ts'

/** The formats of settings forms, by name. */
export interface SettingsViews {
  readonly jsonforms: JsonFormsView
  readonly rjsf: RjsfView
  readonly valves: ValvesView
  readonly mcp: McpView
  readonly vscode: VsCodeView
}

export type SettingsFormat = keyof SettingsViews

const VIEWS: {
  readonly [F in SettingsFormat]: (document: SettingsDocument, plugin?: string) => SettingsViews[F]
} = {
  jsonforms: jsonFormsView,
  rjsf: rjsfView,
  valves: valvesView,
  mcp: mcpView,
  vscode: vsCodeView,
}

/** The formats that can show a single plugin. */
const OF_ONE: readonly SettingsFormat[] = ['valves', 'mcp']

export interface ViewOptions<F extends SettingsFormat = SettingsFormat> {
  readonly format: F
  /** Shows only the settings of this plugin. Allowed for the formats `valves` and `mcp`. */
  readonly plugin?: string | undefined
}

/** @throws {HostError} OPTION_INVALID */
export function checkView({ format, plugin }: ViewOptions): void {
  const known = Object.keys(VIEWS)
  if (!known.includes(format)) {
    const given = JSON.stringify(format) ?? String(format)
    throw new HostError(
      'OPTION_INVALID',
      `"format" must be one of ${known.join(', ')}, not ${given}.${didYouMean(String(format), known)}`,
    )
  }
  if (plugin !== undefined && !OF_ONE.includes(format)) {
    throw new HostError(
      'OPTION_INVALID',
      `"plugin" works only with the formats ${OF_ONE.join(' and ')}; "${format}" always shows all plugins.`,
    )
  }
}

/**
 * Converts a settings document to another format.
 * @throws {HostError} PLUGIN_UNKNOWN, PLUGIN_OFF
 */
export function settingsView<F extends SettingsFormat>(
  document: SettingsDocument,
  { format, plugin }: ViewOptions<F>,
): SettingsViews[F] {
  if (plugin !== undefined) checkPlugin(document, plugin)
  return VIEWS[format](document, plugin)
}

function checkPlugin({ sections }: SettingsDocument, plugin: string): void {
  const section = sections.find((one) => one.plugin === plugin)
  if (section?.on) return
  if (section) {
    throw new HostError('PLUGIN_OFF', `"${plugin}" is off for this config: ${section.why}.`, {
      plugin,
    })
  }
  const names = sections.flatMap((one) => one.plugin ?? [])
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `No plugin "${plugin}" is registered.${didYouMean(plugin, names)}`,
    { plugin },
  )
}
