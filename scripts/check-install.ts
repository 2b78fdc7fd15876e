/** Packs the host and a plugin, installs them into an empty folder, and runs the quick start there. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'braidwork-install-'))

function run(command: string, args: readonly string[], cwd = folder): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** What a command that fails says on standard error. */
function runFailing(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8' }).stderr
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

try {
  const packs = join(folder, 'packs')
  mkdirSync(packs)
  const providers = ['openai', 'openai-compatible', 'anthropic']
  for (const path of ['.', ...providers.map((name) => `providers/${name}`)]) {
    run(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', packs],
      join(ROOT, path),
    )
  }
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  const tarballs = readdirSync(packs).map((name) => join(packs, name))
  run('npm', ['install', '--silent', '--ignore-scripts', ...tarballs])
  for (const [name, code] of programs()) writeFileSync(join(folder, name), code)

  const answer = run('npx', ['braidwork', 'chat', 'What is 12 * 34, and what day is it?'])
  expectLine('braidwork chat', answer, '12 * 34 = 408, and today is')
  expectLine('hello.mjs', run(process.execPath, ['hello.mjs']), 'NOTED. YOUR NAME IS ADA.')
  const plugins = run('npx', ['braidwork', 'plugins'])
  for (const name of providers) {
    expectLine('braidwork plugins', plugins, `@braidwork/provider-${name}`)
    // Nothing answers there: that the provider says so shows that all of it was installed.
    const settings = ['base_url=http://127.0.0.1:9', 'max_retries=0']
    const refusal = runFailing('npx', [
      ...'braidwork chat Hello --model some-model --provider'.split(' '),
      name,
      ...settings.flatMap((setting) => ['--set', `settings.${name}.${setting}`]),
    ])
    expectLine(`braidwork chat --provider ${name}`, refusal, 'could not be reached')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
