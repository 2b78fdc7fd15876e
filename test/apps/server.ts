import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../helpers/source-files.ts'
import { startModelApi } from './model/model-api.ts'

const KEY = 'a-key-of-the-applications'
const MODEL = 'assistant'

/** A server that applications are connected to. */
export interface AppServer {
  /** What the programs of the applications are told of it. */
  readonly env: NodeJS.ProcessEnv
  readonly close: () => Promise<void>
}

/** Starts the built command with the tool `calculate`, in front of a model API on the loopback address. */
export async function startServer(): Promise<AppServer> {
  const api = await startModelApi()
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-apps-'))
  await writeFile(join(folder, 'braidwork.json'), JSON.stringify(configFor(api.url), null, 2))
  const child = start(folder)
  const close = async () => {
    await end(child)
    await api.close()
    await rm(folder, { recursive: true })
  }
  try {
    const url = await firstLine(child)
    const env = {
      BRAIDWORK_URL: url,
      BRAIDWORK_KEY: KEY,
      BRAIDWORK_MODEL: MODEL,
      BRAIDWORK_COUNTS: api.url,
    }
    return { env, close }
  } catch (error) {
    await close()
    throw error
  }
}

function configFor(api: string): object {
  const plugins = ['providers/openai-compatible', 'tools/calculator']
  const settings = { base_url: `${api}/v1`, api_key: 'none', models: ['rules'] }
  return {
    provider: 'openai-compatible',
    plugins: plugins.map((path) => join(ROOT, path)),
    disabled_plugins: ['clock'],
    settings: { 'openai-compatible': settings },
    server: {
      models: { [MODEL]: { title: 'Assistant', config: { model: 'rules' } } },
      tokens: [{ token: KEY, id: 'applications' }],
      store: 'memory',
      keep_responses: 1,
    },
  }
}

function start(folder: string): ChildProcess {
  const command = join(ROOT, 'src/cli/dist/command/braidwork.js')
  const args = [command, 'serve', '--port', '0', '--config', 'braidwork.json']
  const { PATH, HOME, LANG } = process.env
  return spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME, LANG, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'pipe', process.env['BRAIDWORK_APPS_LOG'] ? 'inherit' : 'ignore'],
  })
}

/** @throws Error if the server ends before it has printed its address */
async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output.')
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume()
    return line
  }
  throw new Error('The server did not start. BRAIDWORK_APPS_LOG=1 shows its log.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
