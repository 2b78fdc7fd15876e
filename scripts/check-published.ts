/**
 * Publishes Braidwork to a registry on loopback, and works there as the author and the user of plugins would: packages
 * of `braidwork new` are tested, published, installed into empty folders and used, with each runtime.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishedFolders } from './install/published-folders.ts'
import { hasRegistry, type Registry, startRegistry } from './install/registry.ts'
import { checkChoice, refuse, scriptOptions } from './options.ts'
import { startChatApi } from './published/chat-api.ts'
import { Checks } from './published/checks.ts'
import { Place } from './published/place.ts'
import { checkPython } from './published/python.ts'
import { startPythonIndex } from './published/python-index.ts'
import { findRuntimes } from './published/runtimes.ts'
import { checkTypeScript } from './published/typescript.ts'

const LANGUAGES = ['typescript', 'python']
/** What `npm run` tells its script is not for the npm that the script runs. */
const OF_NPM_RUN = /^npm_(?!config_)|^npm_config_(?:local_)?prefix$/

const { values } = scriptOptions({ options: { only: { type: 'string' } } })
checkChoice('--only', values.only, LANGUAGES)
if (!hasRegistry()) {
  refuse(
    'the registry is one of the peers, which are not installed. Run "npm ci --prefix test/peers".',
  )
}

const checks = new Checks((line) => console.log(line))
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error(`${signal} ended the checks`)))
}

/** The variables of a person who has configured nothing but the registry. */
function variablesIn(folder: string, registry: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_NPM_RUN.test(name))
  return {
    ...Object.fromEntries(inherited),
    NODE_OPTIONS: '',
    NO_COLOR: '1',
    npm_config_registry: registry,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    BUN_CONFIG_REGISTRY: registry,
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache'),
    UV_CACHE_DIR: join(folder, 'uv-cache'),
    PIP_NO_CACHE_DIR: '1',
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
  }
}

async function run(folder: string, registry: Registry): Promise<void> {
  const isPublished = await checks.step('braidwork: all packages are published', async () => {
    await registry.publishAll()
    stop.signal.throwIfAborted()
    return `${publishedFolders().length} packages`
  })
  if (!isPublished) return
  const index = await startPythonIndex(join(folder, 'index'))
  const api = await startChatApi()
  try {
    const root = new Place(folder, variablesIn(folder, registry.address), stop.signal)
    const of = { checks, root, registry: registry.address, api: api.address }
    const runtimes = await findRuntimes(checks, root)
    if (values.only !== 'python') for (const one of runtimes) await checkTypeScript(of, one)
    if (values.only !== 'typescript') await checkPython(of, index, runtimes)
  } finally {
    await api.close()
    await index.close()
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'braidwork-published-')))
try {
  const registry = await startRegistry(join(folder, 'registry'))
  try {
    await run(folder, registry)
  } finally {
    await registry.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  checks.end()
}
process.exitCode = checks.failed > 0 || stop.signal.aborted ? 1 : 0
