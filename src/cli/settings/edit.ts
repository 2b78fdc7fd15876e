import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ConfigLayer, mergeLayers } from '@braidwork/core'
import { CONFIG_NAMES, neededFile, userConfigFile } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openHost } from '../open-host.ts'
import type { LoadedConfig } from '../options.ts'
import { Form } from './form.ts'
import { listChanges } from './list-changes.ts'
import type { SettingsOptions } from './options.ts'
import type { Prompts } from './prompts.ts'
import { EditSession } from './session.ts'
import { type TargetFile, writeTarget } from './target-file.ts'
import { TerminalForm } from './terminal-form.ts'

/** `braidwork settings --edit`: edits the settings as a form in the terminal, and saves them in the config file. */
export async function editCommand(options: SettingsOptions): Promise<number> {
  checkOptions(options)
  const { host, layers, diagnostics } = await openHost(options, { isBare: true })
  await using _ = host
  reportDiagnostics(diagnostics)
  using terminal = new TerminalForm()
  terminal.begin('braidwork settings')
  const target = await chooseTarget(layers, options, terminal)
  if (!target) return discarded(terminal)
  const session = await EditSession.open({
    host,
    below: layersBelow(layers, target),
    own: target.own,
    locale: options.locale ?? 'en',
  })
  const form = new Form(session, terminal)
  while (await form.fillIn()) {
    const changes = listChanges(session.own, session.edited, (config) => session.masked(config))
    const isSure = changes.length === 0 || (await confirm(terminal, target, changes))
    if (!isSure) continue
    if (changes.length > 0) writeTarget(target, session.edited)
    terminal.end(changes.length > 0 ? `Wrote ${target.path}` : 'Nothing changed.')
    return EXIT.ok
  }
  return discarded(terminal)
}

function discarded(terminal: TerminalForm): number {
  terminal.end('Nothing was written.')
  return EXIT.ok
}

/** @throws {HostError} OPTION_INVALID */
function checkOptions(options: SettingsOptions): void {
  const given = (['provider', 'model', 'set', 'json', 'format', 'plugin'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (given) {
    throw new HostError(
      'OPTION_INVALID',
      `--edit changes a config file, so it cannot be combined with --${given}.`,
    )
  }
  assertTerminal(
    '--edit needs a terminal that can move its cursor. Edit the config file itself, then check it with "braidwork config check"; programs use "braidwork settings --json".',
  )
}

/** @param message says what to do without a terminal @throws {HostError} OPTION_INVALID */
export function assertTerminal(message: string): void {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  if (isTerminal && process.env['TERM'] !== 'dumb') return
  throw new HostError('OPTION_INVALID', message)
}

type Layers = LoadedConfig['layers']

/** The file that the command line names, else the project's, else one that the person chooses. */
async function chooseTarget(
  layers: Layers,
  options: SettingsOptions,
  prompts: Prompts,
): Promise<TargetFile | undefined> {
  const found = targetIn(layers, options.config === undefined ? 'project' : 'file')
  if (found) return found
  const here = join(process.cwd(), 'braidwork.jsonc')
  const isFree = CONFIG_NAMES.every((name) => !existsSync(join(process.cwd(), name)))
  const user = targetIn(layers, 'user') ?? {
    path: neededFile(userConfigFile(), 'XDG_CONFIG_HOME'),
    own: {},
  }
  return prompts.choose<TargetFile>({
    message: 'Which file should the settings be saved in?',
    options: [
      ...(isFree
        ? [{ value: { path: here, own: {}, trusts: true }, label: 'A new file here', about: here }]
        : []),
      { value: user, label: 'The file for all your projects', about: user.path },
    ],
  })
}

function targetIn(layers: Layers, from: 'file' | 'project' | 'user'): TargetFile | undefined {
  const file = layers.findLast((layer) => layer.from === from)?.file
  return file && { path: file.path, text: file.text, own: file.config }
}

function layersBelow(layers: Layers, { path }: TargetFile): ConfigLayer {
  const at = layers.findIndex(({ file }) => file?.path === path)
  const below = layers.slice(0, at === -1 ? layers.length : at)
  return mergeLayers(...below.map(({ config }) => config))
}

async function confirm(
  terminal: TerminalForm,
  { path }: TargetFile,
  changes: readonly string[],
): Promise<boolean> {
  terminal.say(`Changes to ${path}:\n${changes.join('\n')}`)
  const answer = await terminal.choose({
    message: 'Write them?',
    options: [
      { value: true, label: 'Write' },
      { value: false, label: 'Continue editing' },
    ],
  })
  return answer === true
}
