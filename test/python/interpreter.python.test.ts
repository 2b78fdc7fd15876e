import { expect } from 'chai'
import type { Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const ENDING = `
import os

kind = "feature"
name = "ending"

def run_action(id, input):
    os._exit(3)
`

const FILTER = `
kind = "extension"
name = "filter"
default_enabled = False

def get_tags(config, models):
    return ["filtered"]

def from_native(natives, core):
    return [{**item, "delta": "***"} if "delta" in item else item for item in core]
`

const PROVIDER = `
kind = "provider"
name = "answering"

def get_models(config):
    return ["m"]

def stream(native, state):
    yield "hi"
`

const SHOUT = FILTER.replace('"filter"', '"shout"').replace('default_enabled = False', '')

const FAULT = 'cannot run: the Python interpreter ended too often'

describe('the base interpreter', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  /** Ends the interpreter until the host no longer restarts it. */
  async function endTooOften(host: Host): Promise<void> {
    for (let end = 0; end < 8; end++) {
      const error: unknown = await host.runAction('ending', 'exit', null).catch((e: unknown) => e)
      expect(HostError.is(error) && error.code).to.be.oneOf(['PYTHON_CRASHED', 'PLUGIN_OFF'])
    }
  }

  for (const list of ['enabled_plugins', 'force_enabled_plugins'] as const) {
    it(`fails requests whose config has a plugin of it in ${list}, instead of leaving that out`, async () => {
      const made = await folder.host([ENDING, FILTER], { [list]: ['filter'] })
      expect((await made.stream({}, 'hi').result).warnings).to.deep.equal([])
      await endTooOften(made)
      const { error } = await made.stream({}, 'hi').result
      expect(error).to.include({ code: 'PYTHON_CRASHED', plugin: 'filter', retryable: true })
      expect(error?.retryAfter).to.be.within(1, 60)
      const opening: unknown = await made.open({}).catch((thrown: unknown) => thrown)
      expect(opening).to.include({ code: 'PYTHON_CRASHED', plugin: 'filter' })
      const without = await made.stream({ [list]: [] }, 'hi').result
      expect(without.error).to.equal(undefined)
    })
  }

  it('fails with an error that may be retried where the provider is a plugin of it', async () => {
    const made = await folder.host([ENDING, PROVIDER])
    await endTooOften(made)
    const { error } = await made.stream({ provider: 'answering' }, 'hi').result
    expect(error).to.include({ code: 'RESOLUTION_FAILED', plugin: 'answering', retryable: true })
    expect(error?.retryAfter).to.be.within(1, 60)
  })

  it('warns of each other plugin of it once, by its name and its file', async () => {
    const made = await folder.host([ENDING, SHOUT])
    await endTooOften(made)
    const { error, warnings } = await made.stream({}, 'hi').result
    expect(error).to.equal(undefined)
    const subjects = warnings.map(
      (warning) => /^.*? cannot run: the Python interpreter ended too often/.exec(warning)?.[0],
    )
    expect(subjects).to.deep.equal([
      `The feature "ending" ("${folder.path}/module_0_0.py") ${FAULT}`,
      `The extension "shout" ("${folder.path}/module_0_1.py") ${FAULT}`,
    ])
  })

  it('says after how many seconds it begins again where it keeps ending', async () => {
    const made = await folder.host([ENDING])
    await endTooOften(made)
    const { diagnostics } = await made.resolve()
    const said = diagnostics.map(({ message }) => message).join()
    expect(Number(/is not restarted for (\d+) s/.exec(said)?.[1]), said).to.be.within(1, 60)
  })
})
