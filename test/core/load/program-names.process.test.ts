import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../../helpers/source-files.ts'

/** Prints which plugins a host has, by their titles, and the diagnostics. Its first argument is code of the options. */
const PROGRAM = `
import { createHost } from 'braidwork'
const failed = []
const host = await createHost(eval(\`(\${process.argv.at(-1)})\`))
await host.load()
if (host.plugins.some(({ name }) => name === 'ai-sdk')) await host.send({}, 'Hi').catch(({ message }) => failed.push(message))
const told = [...host.diagnostics.map(({ message }) => message), ...failed]
const titles = host.plugins.map(({ name, title }) => title ?? name)
console.log(JSON.stringify({ titles, told }))
await host.close()
`

interface Printed {
  readonly titles: readonly string[]
  readonly told: readonly string[]
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Installs a package with one plugin, which says by its title where it is. */
async function install(folder: string, name: string, title: string): Promise<void> {
  const own = join(folder, 'node_modules', name)
  const plugin = { kind: 'extension', name: name.replace(/^.*\//, '') }
  const braidwork = { apiVersion: 1, plugins: [{ ...plugin, entry: './index.mjs' }] }
  const json = { name, version: '1.0.0', exports: './index.mjs', braidwork }
  await write(join(own, 'package.json'), JSON.stringify(json))
  const fails = `export const createIt = () => { throw new Error(${JSON.stringify(title)}) }`
  const code = `${fails}\nexport default ${JSON.stringify({ ...plugin, title })}\n`
  await write(join(own, 'index.mjs'), code)
}

describe('the names of plugins in a program', function () {
  this.timeout(60_000)
  let folder: string
  let main: string
  let planted: string
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    planted = join(folder, 'planted')
    const app = join(folder, 'app')
    main = join(app, 'bin', 'main.mjs')
    await write(main, PROGRAM)
    await install(app, 'acme-form', 'of the app')
    const installed = join('node_modules', 'braidwork')
    await symlink(join(ROOT, installed), join(app, installed))
    await install(app, 'clock', 'clock of the app')
    for (const name of ['acme-form', 'clock', '@braidwork/tool-clock', 'loose'])
      await install(planted, name, 'planted')
    await install(join(folder, 'base'), 'acme-form', 'of the base')
    await write(join(folder, 'base', 'here.mjs'), "export default { kind: 'tool', name: 'here' }")
  })
  after(() => rm(folder, { recursive: true }))

  function printed(options: string, args: readonly string[] = [main]): Printed {
    const line = [...args, options]
    return JSON.parse(execFileSync(process.execPath, line, { cwd: planted, encoding: 'utf8' }))
  }

  it('are searched from its main module, and never in the working directory', () => {
    const { titles, told } = printed("{ plugins: ['acme-form', 'loose'] }")
    expect(titles).to.deep.equal(['of the app'])
    expect(told).to.have.length(1)
    expect(told[0])
      .to.include('"loose" could not be loaded')
      .and.include(join(folder, 'app', 'bin'))
      .and.include(ROOT)
      .and.not.include('planted')
  })

  it('are those of the bundled plugins first, by whichever of their names', () => {
    const { titles, told } = printed("{ plugins: ['clock', '@braidwork/tool-clock'] }")
    expect([titles, told]).to.deep.equal([['clock'], []])
  })

  it('are searched in the folder first that the program names, from which paths start too', () => {
    const plugins = "plugins: ['acme-form', 'clock', './here.mjs']"
    const base = join(folder, 'base')
    const file = `new URL('file://${join(base, 'here.mjs')}')`
    for (const from of [`'${base}'`, file, `String(${file})`]) {
      const { titles } = printed(`{ ${plugins}, from: ${from} }`)
      expect(titles).to.deep.equal(['of the base', 'clock', 'here'])
    }
    expect(printed(`{ plugins: ['acme-form'], from: process.cwd() }`).titles).to.deep.equal([
      'planted',
    ])
  })

  it('are not searched beside a file that is no main module, but an argument of a text', () => {
    const text = PROGRAM.replace(
      "'braidwork'",
      `'file://${ROOT}/node_modules/braidwork/dist/index.js'`,
    )
    const args = ['--input-type=module', '-e', text, main]
    expect(printed("{ plugins: ['acme-form'] }", args).titles).to.deep.equal([])
    const beside = printed("{ plugins: ['@braidwork/feature-memory'] }", args)
    expect([beside.titles, beside.told]).to.deep.equal([['memory'], []])
  })

  it('are searched in the same places for packages that settings name', () => {
    const settings = "{ 'ai-sdk': { npm_package: 'acme-form', models: ['m'] } }"
    const plugins = `['@braidwork/provider-ai-sdk'], config: { settings: ${settings} }`
    const asked = (options: string): string => {
      const { told } = printed(`{ plugins: ${plugins}, ${options} }`)
      return told.join()
    }
    expect(asked('')).to.include('of the app')
    expect(asked(`from: '${join(folder, 'base')}'`)).to.include('of the base')
  })

  it('may be file: URLs, as import.meta.resolve gives them', () => {
    const module = `new URL('file://${join(folder, 'app/node_modules/acme-form/index.mjs')}')`
    const { titles, told } = printed(
      `{ plugins: [${module}, ${module}.href, new URL('https://a.test/')] }`,
    )
    expect(titles).to.deep.equal(['of the app'])
    expect(told).to.have.length(1)
    expect(told[0]).to.include('"https://a.test/" could not be loaded: the URL names no file')
  })
})
