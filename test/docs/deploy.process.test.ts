import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { braidwork, COMMAND, withoutMissingPackages } from '../cli/command.ts'
import { eachServedFolder, post, type ServedFolder, Serving, TOKEN } from '../cli/serving.ts'
import { ROOT } from '../helpers/source-files.ts'
import { makeWheel, projectOf, pythonHere, writePythonPlugin } from '../python/python-plugins.ts'
import { DEPLOY } from './proxies.ts'

/** The package of the command. */
const CLI = join(ROOT, 'src', 'cli')

const example = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

/** The words of an instruction of the container file that is a list. */
function wordsOf(instruction: string): readonly string[] {
  const lines = example('Containerfile').replaceAll('\\\n', ' ').split('\n')
  const line = lines.find((text) => text.startsWith(`${instruction} `)) ?? ''
  return JSON.parse(line.slice(line.indexOf('['))) as readonly string[]
}

describe('the files for a deployment', () => {
  let made: ServedFolder
  eachServedFolder((given) => {
    made = given
  })

  /** The config of the examples, with a provider that needs no network. */
  function configFile(): string {
    const { server } = JSON.parse(example('braidwork.json')) as { readonly server: object }
    const file = join(made.folder, 'braidwork.json')
    const models = { assistant: { title: 'Assistant' } }
    const store = join(made.folder, 'data', 'store.db')
    mkdirSync(join(made.folder, 'data'))
    writeFileSync(
      file,
      JSON.stringify({ provider: 'scripted', server: { ...server, models, store } }),
    )
    return file
  }

  /** The arguments of the command in an example, for this machine. */
  const here = (words: readonly string[], file: string) =>
    words
      .slice(1)
      .map((word) =>
        word.replace('/etc/braidwork/braidwork.json', file).replace(/^8787$|^%i$/, '0'),
      )

  async function asked(serving: Serving): Promise<Response> {
    const address = (await serving.address()).replace('0.0.0.0', '127.0.0.1')
    const body = { model: 'assistant', input: 'hello', store: true }
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-host': 'chat.example.com' }
    return post(address, '/v1/responses', body, headers)
  }

  it('have a config that is valid', async () => {
    const file = join(DEPLOY, 'braidwork.json')
    const { status, err } = await braidwork(['config', 'check', '--config', file], {
      env: { ADA_TOKEN: TOKEN },
    })
    expect({ status, err: withoutMissingPackages(err) }).to.deep.equal({ status: 0, err: '' })
  })

  it('serve in a container, whose check notices when the server has stopped', async () => {
    const serving = new Serving(made.folder, here(wordsOf('CMD'), configFile()))
    try {
      expect((await asked(serving)).status).to.equal(200)
      const { port } = new URL(await serving.address())
      const [, ...check] = wordsOf('HEALTHCHECK').map((word) => word.replace('8787', port))
      expect(check).to.have.length(2)
      expect(spawnSync(process.execPath, check).status).to.equal(0)
      expect((await serving.stop('SIGTERM')).status).to.equal(0)
      expect(spawnSync(process.execPath, check).status).to.equal(1)
    } finally {
      serving.child.kill('SIGKILL')
      await serving.ended()
    }
  })

  it('make the environments of plugins in Python, which the server finds beside the volume', async function () {
    this.timeout(60_000)
    const python = (await pythonHere()) ?? this.skip()
    const modules = join(made.folder, 'node_modules')
    const wheel = await makeWheel(python, made.folder, 'word_one')
    await writePythonPlugin(join(modules, 'pkg-words'), projectOf([wheel]))
    symlinkSync(CLI, join(modules, 'braidwork'))
    const config = join(made.folder, 'words.json')
    writeFileSync(config, '{"plugins": ["pkg-words"]}')
    const check = (shared: string) =>
      braidwork(['config', 'check', '--config', config], {
        env: { XDG_DATA_HOME: join(made.folder, 'volume'), XDG_DATA_DIRS: shared },
      })
    const share = join(made.folder, 'share')
    const [step = ''] =
      /^RUN mkdir -p \/usr\/local\/share(?:.*\\\n)*.*$/m.exec(example('Containerfile')) ?? []
    const commands = step.replace(/^RUN /, '').replaceAll('/usr/local/share', share)
    const { status, stderr } = spawnSync('sh', ['-c', commands], {
      cwd: made.folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        PYTHON_PLUGINS: 'pkg-words',
        XDG_CONFIG_HOME: join(made.folder, 'config'),
      },
    })
    expect(status, stderr).to.equal(0)
    expect((await check(join(made.folder, 'none'))).err).to.include(
      'needs Python packages (word_one',
    )
    const found = await check(share)
    expect(found.status).to.equal(0)
    expect(found.err).not.to.include('word_one')
  })

  it('serve without any other place to write than the folder of the store', async function () {
    if (spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status !== 0) {
      process.stderr.write(
        '"serve without any other place to write" is skipped: no bwrap runs here\n',
      )
      return this.skip()
    }
    const file = configFile()
    const data = join(made.folder, 'data')
    const sealed = [
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--bind',
      data,
      data,
      '--dev',
      '/dev',
      '--proc',
      '/proc',
    ]
    const args = [...sealed, process.execPath, COMMAND, 'serve', ...here(wordsOf('CMD'), file)]
    const child = spawn('bwrap', args, {
      env: { ...process.env, ADA_TOKEN: TOKEN, XDG_CONFIG_HOME: '/etc', XDG_DATA_HOME: data },
    })
    try {
      const [address] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
      const body = { model: 'assistant', input: 'hello', store: true }
      const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-host': 'chat.example.com' }
      const place = address.trim().replace('0.0.0.0', '127.0.0.1')
      expect((await post(place, '/v1/responses', body, headers)).status).to.equal(200)
    } finally {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    }
  })

  it('have a unit of systemd that is valid and exposes little', function () {
    if (spawnSync('systemd-analyze', ['--version']).error !== undefined) {
      process.stderr.write('"a unit of systemd" is skipped: no "systemd-analyze" is on the PATH\n')
      return this.skip()
    }
    const unit = example('braidwork@.service').replaceAll('/usr/bin/node', process.execPath)
    const file = join(made.folder, 'braidwork@8787.service')
    writeFileSync(file, unit)
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect({ status: verified.status, err: verified.stderr }).to.deep.equal({ status: 0, err: '' })
    const rated = ['security', '--offline=true', '--threshold=20', file]
    const { status, stdout } = spawnSync('systemd-analyze', rated, { encoding: 'utf8' })
    expect(status, stdout).to.equal(0)
  })

  it('serve by the command of that unit', async () => {
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(example('braidwork@.service')) ?? []
    const [node, path, ...words] = command.split(' ')
    expect([node, path]).to.deep.equal([
      '/usr/bin/node',
      '/opt/braidwork/node_modules/braidwork/bin/braidwork.js',
    ])
    const serving = new Serving(made.folder, here(words, configFile()))
    try {
      expect((await asked(serving)).status).to.equal(200)
    } finally {
      await serving.stop('SIGTERM')
    }
  })
})
