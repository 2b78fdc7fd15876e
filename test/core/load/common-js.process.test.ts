import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../../helpers/source-files.ts'

/** Loads plugins in a process without tsx, which reads such modules in its own way. */
const LOAD = `
import { createHost } from '@braidwork/core'
const provider = { kind: 'provider', name: 'any', call: () => [] }
const host = await createHost({ plugins: [provider, ...JSON.parse(process.argv[1])] })
await host.load()
await host.resolve({ provider: 'any', enabled_plugins: ['path', 'packed'] })
const told = host.diagnostics.map(({ message }) => message)
console.log(JSON.stringify({ names: host.plugins.map(({ name }) => name), told }))
`

/** A module as compilers write it. */
const compiled = (exported: string) => `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
${exported}`
const pluginNamed = (name: string) =>
  compiled(`exports.default = { kind: "extension", name: "${name}" };`)

describe('a CommonJS module that a compiler wrote', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    const manifest = {
      apiVersion: 1,
      plugins: [{ kind: 'extension', name: 'packed', entry: './a.js' }],
    }
    await mkdir(join(folder, 'pkg'))
    await writeFile(join(folder, 'path.cjs'), pluginNamed('path'))
    await writeFile(join(folder, 'empty.cjs'), compiled('exports.plugin = {};'))
    await writeFile(join(folder, 'pkg', 'a.js'), pluginNamed('packed'))
    const json = { name: 'pkg', version: '1.0.0', braidwork: manifest }
    await writeFile(join(folder, 'pkg', 'package.json'), JSON.stringify(json))
  })
  after(() => rm(folder, { recursive: true }))

  it('is the plugin that it exports by default, also by a manifest', () => {
    const plugins = ['path.cjs', 'pkg', 'empty.cjs'].map((name) => join(folder, name))
    const args = ['--input-type=module', '-e', LOAD, JSON.stringify(plugins)]
    const printed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    const { names, told } = JSON.parse(printed) as { names: string[]; told: string[] }
    expect(names).to.include.members(['path', 'packed'])
    expect(told).to.have.length(1)
    expect(told[0]).to.include('its module has no default export')
  })
})
