import type { Host, SettingsDocument, SettingsFormat } from '@braidwork/core'
import { didYouMean } from '@braidwork/core/internal'
import { type Diagnostic, HostError } from '@braidwork/plugin'
import { jsonText } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openHost } from '../open-host.ts'
import { stylesOf } from '../terminal.ts'
import type { SettingsOptions } from './options.ts'
import { showDocument } from './show-document.ts'

/** `braidwork settings`: prints the config's settings document as text or JSON; `--edit` opens it as a form. */
export async function settingsCommand(options: SettingsOptions): Promise<number> {
  if (options.edit) return (await import('./edit.ts')).editCommand(options)
  const { host, diagnostics } = await openHost(options)
  await using _ = host
  const { locale = 'en' } = options
  const whole = await host.uiSchema(undefined, { locale })
  const faults = [...whole.diagnostics, ...(await otherFaults(host, whole))]
  reportDiagnostics([...diagnostics, ...faults])
  process.stdout.write(
    options.format === undefined
      ? await documentText(whole, options)
      : asJson(await viewFor(host, options)),
  )
  return faults.some(({ level }) => level === 'error') ? EXIT.usage : EXIT.ok
}

/** The faults of settings in the config that the document does not report, such as unknown keys. */
async function otherFaults(
  host: Host,
  { diagnostics }: SettingsDocument,
): Promise<readonly Diagnostic[]> {
  const reported = new Set(diagnostics.map(({ pointer }) => pointer))
  const { settings = {} } = host.config
  return (await host.settingsFaults())
    .filter(({ plugin = '', pointer }) => Object.hasOwn(settings, plugin) && !reported.has(pointer))
    .map(({ code, message }) => ({ code, message, level: 'error' }))
}

function documentText(
  whole: SettingsDocument,
  { plugin, json }: SettingsOptions,
): string | Promise<string> {
  const document = plugin === undefined ? whole : partOf(whole, plugin)
  return json ? asJson(document) : showDocument(document, stylesOf(process.stdout))
}

async function viewFor(host: Host, { format, plugin, locale = 'en' }: SettingsOptions) {
  return host.uiSchema(undefined, {
    locale,
    format: format as SettingsFormat,
    ...(plugin === undefined ? {} : { plugin }),
  })
}

/** The document reduced to the section and the category of one plugin. */
function partOf(document: SettingsDocument, plugin: string): SettingsDocument {
  const { sections, uischema } = document
  const section = sections.find((one) => one.plugin === plugin)
  if (!section) {
    const names = sections.flatMap((one) => one.plugin ?? [])
    const advice = didYouMean(plugin, names)
    throw new HostError('PLUGIN_UNKNOWN', `There is no plugin "${plugin}".${advice}`, { plugin })
  }
  const elements = uischema.elements.filter(({ options }) => options?.plugin === plugin)
  const { category: _, ...rest } = section
  const own = section.category === undefined ? rest : { ...rest, category: '/elements/0' }
  return { ...document, uischema: { ...uischema, elements }, sections: [own] }
}

function asJson(value: unknown): string {
  return `${jsonText(value, 2)}\n`
}
