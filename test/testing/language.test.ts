import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pluginChecks, suiteOf } from '../../src/testing/index.ts'
import { PYTHON_ADVICE, SIGNAL_ADVICE } from '../../src/testing/language.ts'
import { errorOf } from '../helpers/plugins.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

const CARELESS = `
import time

kind = "provider"
name = "careless"


def get_tags(config, models):
    return ["text"]


def process_chunk(chunk, native, state):
    state["seen"] = True
    return [[chunk], [], native, state]


def stream(native, state):
    yield "Hello"
`
const HALF = `
kind = "extension"
name = "half"


def from_native(natives, core, *, context):
    if context.phase == "partials":
        return core
    return [{**one, "parts": [{"type": "text", "text": "Hi"}]} for one in core]
`
const DEAF = `
import time

kind = "provider"
name = "deaf"


def call(native, state):
    time.sleep(3)
    return [], [{"role": "assistant", "parts": [{"type": "text", "text": "Hi"}]}], native, state
`

describe('a fault of a plugin in Python', function () {
  this.timeout(60_000)
  let folder: string
  before(async function () {
    await pythonOf(this)
    folder = await mkdtemp(join(tmpdir(), 'language-'))
  })
  after(() => (folder ? rm(folder, { recursive: true }) : undefined))

  async function faultOf(name: string, code: string, check: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, code)
    const { checks, close } = suiteOf('provider', path)
    const found = checks.find((one) => one.name === check)
    const { message } = await errorOf(async () => found?.run())
    await close()
    return message
  }

  it('has the names of hooks in Python', async () => {
    const check = 'leaves the arguments of processChunk as they are'
    expect(await faultOf('careless.py', CARELESS, check)).to.match(
      /^"process_chunk" changes an argument/,
    )
  })

  it('says how a hook in Python ends with its request', async () => {
    const check = 'ends a whole answer that is cancelled'
    const fault = await faultOf('deaf.py', DEAF, check)
    expect(fault).to.include(PYTHON_ADVICE[SIGNAL_ADVICE]).and.not.to.include(SIGNAL_ADVICE)
  })

  it('has them in the checks of a list too', async () => {
    const path = join(folder, 'half.py')
    await writeFile(path, HALF)
    const streams = pluginChecks(path).find(({ name }) => name.startsWith('streams the text'))
    const { message } = await errorOf(async () => streams?.run())
    expect(message).to.include('"from_native" receives events and messages.')
  })
})

describe('the advice for Python', () => {
  it('stands for advice that the checks give', () => {
    const code = ['src/testing', 'src/testing/checks']
      .flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => join(ROOT, folder, file)))
      .filter((path) => path.endsWith('.ts') && !path.endsWith('language.ts'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
    const given = Object.keys(PYTHON_ADVICE).filter((advice) => advice !== SIGNAL_ADVICE)
    expect(given.filter((advice) => !code.includes(advice))).to.deep.equal([])
    expect(code).to.include('${SIGNAL_ADVICE}')
  })
})
