import { basename, dirname, extname, join } from 'node:path'
import { type AgentRuntime, type AgentSpec, createRuntime } from '@braidwork/agent'
import { agentsIn, agentText, knownIds, SPEC_ID } from '@braidwork/agent/internal'
import {
  AGENTS_FOLDER,
  type AgentText,
  keepingTrust,
  neededFile,
  readAgentTexts,
  userConfigFile,
} from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { type OpenRuntime, openRuntime } from '../open-runtime.ts'
import type { ConfigOptions } from '../options.ts'
import { AgentForm } from './agent-form.ts'
import { assertTerminal } from './edit.ts'
import type { Prompts } from './prompts.ts'
import { replaceFile } from './target-file.ts'
import { TerminalForm } from './terminal-form.ts'

/** `braidwork agents edit <id>`: asks for the fields of an agent, tries it, and writes it as `agents/<id>.md`. */
export async function editAgentCommand(id: string, options: ConfigOptions): Promise<number> {
  assertTerminal(NO_TERMINAL)
  assertId(id)
  const opened = await openRuntime(options)
  await using _ = opened.host
  const { runtime, diagnostics } = opened
  const target = await targetOf(id, opened)
  reportDiagnostics(diagnostics)
  using terminal = new TerminalForm()
  terminal.begin(`braidwork agents edit ${id}`)
  const form = new AgentForm(await knownIds(runtime), terminal)
  let spec: AgentSpec | undefined = target.spec
  for (;;) {
    spec = await form.fillIn(spec, target.spec)
    if (!spec) {
      terminal.end('Nothing was written.')
      return EXIT.ok
    }
    if (!(await isFit(spec, runtime, terminal))) continue
    await write(target, spec)
    terminal.end(`Wrote ${target.path}`)
    return EXIT.ok
  }
}

const NO_TERMINAL =
  '"agents edit" needs a terminal that can move its cursor. Write "agents/<id>.md" beside the config yourself, then check it with "braidwork agents check".'

/** The id is a part of a file's name. @throws {HostError} OPTION_INVALID */
function assertId(id: string): void {
  if (new RegExp(SPEC_ID).test(id)) return
  throw refused(
    `"${id}" cannot be an id, which may have letters, digits, ".", "_" and "-", at most 64, and begins with a letter or digit.`,
  )
}

/** The file of an agent. */
interface Target {
  readonly path: string
  /** The config beside which the file is. */
  readonly config: string
  /** Absent if there is no such file yet. */
  readonly text?: string
  readonly spec: AgentSpec
}

/** @throws {HostError} OPTION_INVALID, SPEC_INVALID */
async function targetOf(id: string, { layers, declared }: OpenRuntime): Promise<Target> {
  if (isObject(declared.agents) && Object.hasOwn(declared.agents, id)) {
    throw refused(`The agent "${id}" is declared in the config. Edit it there.`)
  }
  const found = layers.findLast(({ from }) => from === 'file' || from === 'project')?.file?.path
  const config = found ?? neededFile(userConfigFile(), 'XDG_CONFIG_HOME')
  const folder = join(dirname(config), AGENTS_FOLDER)
  const path = join(folder, `${id}.md`)
  const known = readAgentTexts(folder).find((one) => basename(one.path, extname(one.path)) === id)
  if (!known) return { path, config, spec: { id } }
  if (extname(known.path) !== '.md') {
    throw refused(
      `"${known.path}" is JSON. Edit it by hand, then check it with "braidwork agents check".`,
    )
  }
  const spec = await specIn(known)
  return { path, config, spec, ...(known.text === undefined ? {} : { text: known.text }) }
}

/** @throws {HostError} SPEC_INVALID */
async function specIn(text: AgentText): Promise<AgentSpec> {
  const {
    agents: [spec],
    faults: [fault],
  } = await agentsIn([text])
  if (spec) return spec
  throw fault ?? refused(`"${text.path}" cannot be read.`)
}

/** Tries an agent, and says what is wrong with it. */
async function isFit(
  spec: AgentSpec,
  { host, models }: AgentRuntime,
  prompts: Prompts,
): Promise<boolean> {
  try {
    const filled = spec.config ? { ...spec, config: host.filled(spec.config) } : spec
    const tried = await createRuntime({ host, agents: [filled], models })
    const { warnings } = await tried.resolve(spec.id)
    for (const { field, message } of warnings) prompts.say(`${field}: ${message}`, 'warning')
    return true
  } catch (error) {
    if (!HostError.is(error)) throw error
    prompts.say(messageOf(error), 'error')
    return false
  }
}

/** Writes the file. A folder that was trusted stays so. @throws {HostError} CONFIG_INVALID */
async function write({ path, config, text }: Target, spec: AgentSpec): Promise<void> {
  const written = await agentText(spec, text)
  keepingTrust(config, () => replaceFile(path, text, written))
}

function refused(message: string): HostError {
  return new HostError('OPTION_INVALID', message)
}
