import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/free-port.ts'
import { askerOf, pidOf, type ServedSide } from './served.ts'

/** `npm ci` removes it. */
const VENV = fileURLToPath(new URL('../node_modules/.litellm', import.meta.url))
const LITELLM = join(VENV, 'bin', 'litellm')
const KEY = 'sk-bench-0123456789'
/** Milliseconds until it must listen. It takes several seconds to load. */
const PATIENCE = 120_000

/** LiteLLM's proxy with one worker. Undefined, with the reason on standard output, if it cannot be installed. */
export async function litellmSide(url: string): Promise<ServedSide | undefined> {
  const fault = installed()
  if (fault !== undefined) {
    console.log(`LiteLLM is not measured: ${fault}`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-litellm-'))
  const file = join(folder, 'config.yaml')
  const params = { model: 'openai/gpt-4.1', api_base: `${url}/v1`, api_key: KEY }
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ model_list: [{ model_name: 'gpt-4.1', litellm_params: params }] }),
  )
  const port = await freePort()
  // It does not start without a key for its callers, or with a short one.
  const master = `sk-${randomBytes(32).toString('hex')}`
  const child = spawn(LITELLM, ['--config', file, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_MASTER_KEY: master },
  })
  const address = `http://127.0.0.1:${port}`
  const close = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  const until = performance.now() + PATIENCE
  while (!(await isAlive(address))) {
    if (child.exitCode === null && performance.now() < until) {
      await wait(200)
      continue
    }
    close()
    console.log('LiteLLM is not measured: it did not start')
    return undefined
  }
  return { what: "LiteLLM's proxy", pid: pidOf(child), ask: askerOf(address, master), close }
}

/** Installs it where Python and pip are. @returns why it is not there */
function installed(): string | undefined {
  if (existsSync(LITELLM)) return undefined
  if (spawnSync('python3', ['-m', 'venv', VENV]).status !== 0) return 'python3 makes no venv'
  const pip = join(VENV, 'bin', 'pip')
  const { status } = spawnSync(pip, ['install', '--quiet', 'litellm[proxy]'], { stdio: 'inherit' })
  return status === 0 ? undefined : 'pip could not install "litellm[proxy]"'
}

async function isAlive(address: string): Promise<boolean> {
  return fetch(`${address}/health/liveliness`).then(
    ({ ok }) => ok,
    () => false,
  )
}
