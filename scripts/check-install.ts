/**
 * Publishes every package to a registry on loopback, installs each one with `npm install` into an empty folder, and
 * runs the programs of the README there. Prints for each package how many packages came with it, and their size.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inParallel } from './in-parallel.ts'
import { Installation } from './install/installation.ts'
import { manifestOf, publishedFolders } from './install/published-folders.ts'
import { hasRegistry, startRegistry } from './install/registry.ts'

const ROOT = resolve(import.meta.dirname, '..')
const MEGABYTE = 1e6

/** The maximum number and size of installed packages, for packages that programs embed. */
const LIMITS: { readonly [name: string]: { readonly packages: number; readonly bytes: number } } = {
  '@braidwork/plugin': { packages: 1, bytes: 0.2 * MEGABYTE },
  '@braidwork/core': { packages: 12, bytes: 8 * MEGABYTE },
}

/** The first import of a program that has installed only this package. */
const FIRST_IMPORTS: { readonly [name: string]: string } = {
  '@braidwork/plugin': `import { HOOKS, HostError } from '@braidwork/plugin'; console.log(HOOKS.stream ? 'ok' : HostError)`,
  '@braidwork/core': `import { createHost } from '@braidwork/core'; const host = await createHost({ plugins: [] }); await host.close(); console.log('ok')`,
}

function shownSize(bytes: number): string {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`
}

/** Installs one package alone. @throws if the limits are exceeded */
async function installAlone(name: string, folder: string, registry: string): Promise<void> {
  const alone = new Installation(folder)
  await alone.install([name], registry)
  const { packages, bytes } = alone
  console.log(
    `${name}: ${packages} ${packages === 1 ? 'package' : 'packages'}, ${shownSize(bytes)}`,
  )
  const limit = LIMITS[name]
  if (limit && (packages > limit.packages || bytes > limit.bytes)) {
    throw new Error(`${name} may bring ${limit.packages} packages and ${shownSize(limit.bytes)}.`)
  }
  const program = FIRST_IMPORTS[name]
  if (program === undefined) return
  writeFileSync(join(folder, 'first.mjs'), program)
  expectLine(`${name}, imported`, await alone.run(process.execPath, ['first.mjs']), 'ok')
}

/** The programs of the README, by file name. */
function programs(): Map<string, string> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const fences = readme.matchAll(/^```js (\S+)\n(.*?)^```$/gms)
  return new Map([...fences].map(([, name = '', code = '']) => [name, code]))
}

function expectLine(what: string, output: string, expected: string): void {
  if (!output.includes(expected)) throw new Error(`${what} printed no "${expected}":\n${output}`)
  console.log(`${what}: ${expected}`)
}

/** Runs the README's quick start, and one provider of each kind until it needs a network. */
async function runReadme(folder: string, registry: string): Promise<void> {
  const providers = ['openai', 'openai-compatible', 'anthropic']
  const all = new Installation(folder)
  await all.install(
    ['braidwork', ...providers.map((name) => `@braidwork/provider-${name}`)],
    registry,
  )
  for (const [name, code] of programs()) writeFileSync(join(folder, name), code)
  const answer = await all.run('npx', ['braidwork', 'chat', 'What is 12 * 34, and what day is it?'])
  expectLine('braidwork chat', answer, '12 * 34 = 408, and today is')
  expectLine(
    'hello.mjs',
    await all.run(process.execPath, ['hello.mjs']),
    'NOTED. YOUR NAME IS ADA.',
  )
  const plugins = await all.run('npx', ['braidwork', 'plugins'])
  for (const name of providers) {
    expectLine('braidwork plugins', plugins, `@braidwork/provider-${name}`)
    // No server listens there. That the provider reports it shows that its dependencies are installed.
    const settings = ['base_url=http://127.0.0.1:9', 'max_retries=0']
    const refusal = await all.runFailing('npx', [
      ...'braidwork chat Hello --model some-model --provider'.split(' '),
      name,
      ...settings.flatMap((setting) => ['--set', `settings.${name}.${setting}`]),
    ])
    expectLine(`braidwork chat --provider ${name}`, refusal, 'could not be reached')
  }
}

if (!hasRegistry()) {
  console.log(
    'The registry is one of the peers, which are not installed. Run "npm ci --prefix test/peers".',
  )
  process.exit(1)
}
const scratch = mkdtempSync(join(tmpdir(), 'braidwork-install-'))
try {
  const registry = await startRegistry(join(scratch, 'registry'))
  try {
    const folders = publishedFolders()
    await registry.publishAll()
    const embedded = folders.filter((one) => one.startsWith('src/') || one.endsWith('/model-api'))
    await inParallel(embedded, (folder) =>
      installAlone(
        manifestOf(folder).name,
        join(scratch, folder.replaceAll('/', '-')),
        registry.address,
      ),
    )
    await runReadme(join(scratch, 'readme'), registry.address)
  } finally {
    await registry.close()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
