import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { pythonHere } from '../python/python-plugins.ts'
import type { Ran } from './command.ts'

/** Makes a wheel with an extension that answers in capitals, by a module of its own package. */
const WHEEL = `
import sys, zipfile
path, version, points, name, need = sys.argv[1:]
info = name + "-" + version + ".dist-info"
needs = "Requires-Dist: " + need + "\\nRequires-Dist: pkg-none; extra == 'more'\\n" if need else ""
plugin = ("import pkg_sign" if need else "") + '''
from pkg_loud.words import loud

class Plugin:
    kind = "extension"
    name = "loud"

    def from_native(self, natives, core):
        return [loud(item) for item in core]

plugin = Plugin()
'''
words = '''
def loud(item):
    if "parts" in item:
        return {**item, "parts": [loud(part) for part in item["parts"]]}
    return {key: text.upper() if key in ("text", "delta") else text for key, text in item.items()}
'''
with zipfile.ZipFile(path, "w") as wheel:
    wheel.writestr(name + "/__init__.py", "")
    if name == "pkg_loud":
        wheel.writestr("pkg_loud/plugin.py", plugin)
        wheel.writestr("pkg_loud/words.py", words)
    wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: " + name + "\\nSummary: Louder\\nVersion: " + version + "\\n" + needs)
    wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    if points:
        wheel.writestr(info + "/entry_points.txt", points)
    wheel.writestr(info + "/RECORD", "")
`
const POINTS = '[braidwork.plugins]\nextension.loud = pkg_loud.plugin\n'

describe('braidwork plugins, from an index of Python', function () {
  this.timeout(120_000)
  let folder: string
  let env: NodeJS.ProcessEnv
  let command: CommandFolder['run']
  let server: Server
  let executable: string
  const names = ['pkg-loud', 'pkg-sign']
  /** The distributions that the index has sent, each time. */
  const sent: string[] = []
  eachCommandFolder((made) => {
    folder = made.folder
    command = made.run
    env = { ...made.env }
  })
  before(async function () {
    executable = ((await pythonHere()) ?? this.skip()).executable
  })
  beforeEach(async () => {
    server = createServer((request, response) => {
      const [, name = '', file = ''] = /^\/simple\/([\w-]+)\/(.*)$/.exec(request.url ?? '') ?? []
      const wheels = readdirSync(folder).filter((one) => one.startsWith(name.replace('-', '_')))
      if (file !== '') sent.push(file.split('-', 1)[0] ?? '')
      if (!names.includes(name)) response.writeHead(404).end()
      else if (file !== '') response.end(readFileSync(join(folder, file)))
      else {
        response.setHeader('content-type', 'text/html')
        response.end(wheels.map((one) => `<a href="${one}">${one}</a>`).join('\n'))
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`
    env = { ...env, PIP_INDEX_URL: index, UV_INDEX_URL: index, PIP_NO_CACHE_DIR: '1' }
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const run = (...args: readonly string[]): Promise<Ran> => command(['plugins', ...args], { env })
  const at = (...path: readonly string[]) => join(folder, 'config', 'braidwork', ...path)

  /** Publishes the extension, and what it needs. */
  function publish(version: string, points = POINTS, need = 'pkg-sign'): void {
    for (const name of names.map((one) => one.replace('-', '_'))) {
      const path = join(folder, `${name}-${version}-py3-none-any.whl`)
      const needs = name === 'pkg_loud' ? need : ''
      execFileSync(executable, ['-c', WHEEL, path, version, points, name, needs])
    }
  }

  /** Publishes the extension with a plugin that is off by default. */
  function publishOff(version: string): void {
    const off = WHEEL.replace('name = "loud"', 'name = "loud"\n    default_enabled = False')
    const path = join(folder, `pkg_loud-${version}-py3-none-any.whl`)
    execFileSync(executable, ['-c', off, path, version, POINTS, 'pkg_loud', ''])
  }

  it('adds, updates and removes a distribution, which runs in an environment of its own', async () => {
    const environments = join(folder, 'data', 'braidwork', 'environments')
    publish('1.0.0')
    const { status, out, err } = await run('add', 'pypi:Pkg_Loud', '--yes')
    expect(status, err).to.equal(0)
    expect(out).to.match(/^pypi:pkg-loud 1\.0\.0 \(sha256:[0-9a-f]{64}\)\n {2}extension "loud"/)
    expect(out).to.include('runs in Python with pkg-sign').and.include('A plugin is code.')
    expect(out).to.include(`added extension "loud" from ${at('packages/pypi+pkg-loud/package')}`)
    const answer = await command(['chat', '--provider', 'scripted', 'hello'], { env })
    expect(answer.out, answer.err).to.match(/^[^a-z]+$/)
    expect((await run('list')).out).to.include('pypi:pkg-loud@1.0.0')
    expect((await run('info', 'loud')).out).to.include('updates: >=1.0.0,<2')
    publish('1.5.0')
    publish('2.0.0')
    expect((await run('update')).out).to.include('updated pypi:pkg-loud: 1.0.0 → 1.5.0')
    expect(await readdir(environments), 'not that of the old version').to.have.length(1)
    const removed = await run('remove', 'loud')
    expect(removed.status).to.equal(0)
    expect(removed.err).to.match(/^Restart servers that are running\. [^\n]*\n$/)
    expect(await readdir(environments)).to.deep.equal([])
    expect(await readdir(at('packages'))).to.deep.equal([])
  })

  it('says which plugin is off by default, without running its code', async () => {
    publish('1.0.0')
    expect((await run('add', 'pypi:pkg-loud', '--yes')).out).to.include(
      'extension "loud", on by default, unless its code says otherwise',
    )
    publishOff('1.2.0')
    const { status, out, err } = await run('add', 'pypi:pkg-loud==1.2.0', '--yes')
    expect(status, err).to.equal(0)
    expect(out).to.include('extension "loud", off until a config enables it')
    const quiet = await command(['chat', '--provider', 'scripted', 'hello'], { env })
    expect(quiet.out, quiet.err).to.match(/[a-z]/)
  })

  it('runs the wheel whose hash it told, which no installer gets once more', async () => {
    publish('1.0.0')
    sent.length = 0
    const { status, err } = await run('add', 'pypi:pkg-loud', '--yes')
    expect(status, err).to.equal(0)
    expect(sent.sort()).to.deep.equal(['pkg_loud', 'pkg_sign'])
  })

  it('makes no environment for a distribution that needs nothing', async () => {
    publish('1.0.0', POINTS, '')
    const { out } = await run('add', 'pypi:pkg-loud', '--yes')
    expect(out).to.include('added extension "loud"').and.include('without other packages')
    expect(existsSync(join(folder, 'data', 'braidwork', 'environments'))).to.equal(false)
    const answer = await command(['chat', '--provider', 'scripted', 'hello'], { env })
    expect(answer.out, answer.err).to.match(/^[^a-z]+$/)
  })

  it('leaves all as it was where there is no such distribution, and none with plugins', async () => {
    publish('1.0.0', '[console_scripts]\nloud = pkg_loud.plugin:main\n')
    const bare = await run('add', 'pypi:pkg-loud', '--yes')
    expect(bare.err).to.match(/error MANIFEST_INVALID: "pypi:pkg-loud@1\.0\.0" is not a package/)
    for (const spec of ['pypi:gone', 'pypi:pkg-loud==3.0'])
      expect((await run('add', spec, '--yes')).err).to.include('PACKAGE_INSTALL_FAILED')
    expect((await run('add', 'pypi:./x', '--yes')).err).to.include('OPTION_INVALID')
    env = { ...env, PYTHON_BIN: '/nowhere/python3' }
    expect((await run('add', 'pypi:pkg-loud', '--yes')).err).to.include('PYTHON_MISSING')
    expect(await readdir(at('packages'))).to.deep.equal([])
    expect(existsSync(at('plugins.json'))).to.equal(false)
  })
})
