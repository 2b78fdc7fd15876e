import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../../src/python/venvs/find-python.ts'
import { makeVenv } from '../../../src/python/venvs/make-venv.ts'
import { COMMAND } from '../../cli/command.ts'
import { waitForEnd } from '../../helpers/processes.ts'
import { projectOf, pythonHere, writePythonPlugin } from '../python-plugins.ts'

/** Writes which variables it sees and who it is, and then makes no wheel. */
const BACKEND = `
import json, os, subprocess
def build_wheel(directory, settings=None, metadata=None):
    quiet = subprocess.DEVNULL
    other = subprocess.Popen(["sleep", "600"], stdout=quiet, stderr=quiet).pid
    with open(os.path.join(os.path.dirname(__file__), "seen.part"), "w") as file:
        json.dump({"names": sorted(os.environ), "pids": [os.getpid(), other]}, file)
    os.rename(file.name, file.name.replace(".part", ".json"))
    WORK
`
const BUILD = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'

/** What may be among the variables of a person who adds a plugin. */
const SECRETS = {
  OPENAI_API_KEY: 'sk-1',
  AWS_SECRET_ACCESS_KEY: 'a',
  DATABASE_URL: 'postgres://u:p@h/d',
  HTTPS_PROXY: 'http://ada:pass@127.0.0.1:9',
  PIP_INDEX_URL: 'http://ada:pass@127.0.0.1:9/simple',
  UV_PUBLISH_TOKEN: 't',
  UV_INDEX_OWN_PASSWORD: 'p',
}
const SETTINGS = { PIP_RETRIES: '0', no_proxy: '*', SSL_CERT_FILE: '/etc/certs.pem' }

interface Seen {
  readonly names: readonly string[]
  readonly pids: readonly number[]
}

describe('the variables of an installer', function () {
  this.timeout(60_000)
  let python: Python
  let folder: string
  let variables: NodeJS.ProcessEnv
  before(async function () {
    const found = await pythonHere()
    if (!found) return this.skip()
    python = found
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    const own = { PATH: '/usr/bin:/bin', HOME: folder, XDG_DATA_HOME: join(folder, 'data') }
    variables = { ...own, LANG: 'C.UTF-8', ...SECRETS, ...SETTINGS }
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** A plugin that needs a package which has to be built; what the build does after it has looked around. */
  async function plugin(work: string): Promise<string> {
    const source = join(folder, 'source')
    await mkdir(source)
    await writeFile(
      join(source, 'pyproject.toml'),
      `${BUILD}[project]\nname = "source"\nversion = "1"\n`,
    )
    await writeFile(join(source, 'backend.py'), BACKEND.replace('WORK', work))
    return writePythonPlugin(join(folder, 'words'), projectOf([`source @ file://${source}`]))
  }

  async function seen(): Promise<Seen> {
    return JSON.parse(await readFile(join(folder, 'source', 'seen.json'), 'utf8')) as Seen
  }

  it('is that of other children, its settings, and how a registry is reached, in builds too', async () => {
    const words = await plugin('raise SystemExit("no wheel")')
    const error = await makeVenv(words, python, { variables }).catch((thrown) => thrown)
    expect(error).to.include({ code: 'PYTHON_INSTALL_FAILED' })
    const { names, pids } = await seen()
    expect(names).to.include.members(['PATH', 'HOME', 'LANG', 'TMPDIR', ...Object.keys(SETTINGS)])
    expect(names).not.to.include.oneOf(Object.keys(SECRETS))
    expect(await waitForEnd(pids)).to.deep.equal([])
  })

  it('has what is named, and its want is told where that may have been why it failed', async () => {
    const bin = join(folder, 'bin')
    await mkdir(bin)
    await writeFile(
      join(bin, 'uv'),
      '#!/bin/sh\nenv > "$HOME/seen"\ncase $1 in venv) exit 1;; esac\n',
    )
    await chmod(join(bin, 'uv'), 0o755)
    const words = await writePythonPlugin(join(folder, 'words'), projectOf(['six']))
    const error = await makeVenv(words, python, {
      variables: { ...variables, PATH: `${bin}:/usr/bin:/bin` },
      named: ['PIP_INDEX_URL', 'DATABASE_URL'],
    }).catch((thrown: unknown) => thrown)
    expect((error as Error).message).to.include(
      'The installer did not get HTTPS_PROXY, UV_PUBLISH_TOKEN, UV_INDEX_OWN_PASSWORD, which may contain secrets; "--env NAME" passes a variable.',
    )
    const text = await readFile(join(folder, 'seen'), 'utf8')
    const names = text.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    expect(names).to.include.members(['PIP_INDEX_URL', 'DATABASE_URL'])
    expect(names).not.to.include.oneOf(['OPENAI_API_KEY', 'HTTPS_PROXY', 'UV_PUBLISH_TOKEN'])
  })

  it('leaves no process of a build in C where the command is killed', async () => {
    const words = await plugin('sum(range(10**12))')
    const env = { ...variables, PYTHON_BIN: python.executable, XDG_CONFIG_HOME: folder }
    const command = spawn(process.execPath, [COMMAND, 'plugins', 'add', words], {
      env,
      stdio: 'ignore',
    })
    const exit = once(command, 'exit')
    const end = Date.now() + 30_000
    while (!existsSync(join(folder, 'source', 'seen.json')) && Date.now() < end) {
      await new Promise(setImmediate)
    }
    command.kill('SIGKILL')
    await exit
    expect(await waitForEnd((await seen()).pids)).to.deep.equal([])
  })
})
