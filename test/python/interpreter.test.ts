import { getEventListeners } from 'node:events'
import { chmod, readFile } from 'node:fs/promises'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { createHost, type Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { Interpreter } from '../../src/python/interpreter.ts'
import { pythonOf } from '../helpers/python.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const ENDING = `
import os

kind = "feature"
name = "ending"

def run_action(id, input):
    return os.getpid() if id == "pid" else os._exit(3)
`

const SAYING = `
import os
import sys
import time

kind = "feature"
name = "saying"

def run_action(id, input):
    print("to readers", flush=True)
    print("in trouble", file=sys.stderr, flush=True)
    if id == "exit":
        time.sleep(0.2)
        os._exit(3)
`

describe('the base interpreter', () => {
  let folder: PythonFolder
  let host: Host | undefined
  eachPythonFolder((made) => {
    folder = made
  })
  afterEach(async () => {
    await host?.close()
    host = undefined
  })

  /** A script in an interpreter's place. */
  async function script(text: string): Promise<string> {
    const path = await folder.write('python3', `#!/bin/sh\n${text}\n`)
    await chmod(path, 0o755)
    return path
  }

  async function hostOn(executable: string): Promise<Host> {
    const plugins = [scripted, await folder.write('ending.py', ENDING)]
    host = await createHost({ plugins, python: { executable } })
    return host
  }

  it('is asked by nobody what it is, and started once by the script that looks it up', async function () {
    const { executable } = await pythonOf(this)
    const started = `${folder.path}/started`
    const shim = await script(`echo "$@" >> ${started}; exec ${executable} "$@"`)
    const made = await hostOn(shim)
    const first = await made.runAction('ending', 'pid', null)
    const crash = await made.runAction('ending', 'exit', null).catch((error: unknown) => error)
    expect(HostError.is(crash) && crash.code).to.equal('PYTHON_CRASHED')
    expect(await made.runAction('ending', 'pid', null)).to.not.equal(first)
    const lines = (await readFile(started, 'utf8')).trim().split('\n')
    expect(lines).to.have.lengthOf(1)
    expect(lines[0]).to.include('interface.py')
  })

  it('has what it prints in the log alone: another caller may have said it', async () => {
    const made = await folder.host([SAYING])
    await made.runAction('saying', 'say', null)
    const crash: unknown = await made.runAction('saying', 'exit', null).catch((e: unknown) => e)
    expect(HostError.is(crash) && crash.code).to.equal('PYTHON_CRASHED')
    expect((crash as HostError).message).to.equal(
      'the Python interpreter ended (exit status 3); the next request restarts it.',
    )
    const said = folder.log.map(({ level, message }) => `${level} ${message}`)
    expect(said).to.include.members(['info to readers', 'warn in trouble'])
  })

  it('has in the error what it said where it could not begin', async () => {
    const executable = await script('echo "no module of its own" >&2; exit 4')
    const interpreter = new Interpreter({ executable, log: () => undefined })
    const error = await interpreter.python().catch((thrown: unknown) => thrown)
    expect(String(error)).to.include('(exit status 4)').and.include('no module of its own')
    await interpreter.close()
  })

  it('leaves nothing at the signal of a request that has ended', async () => {
    const made = await folder.host([ENDING])
    const { signal } = new AbortController()
    await made.runAction('ending', 'pid', null, {}, { signal })
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  })

  it('is asked what is wrong with it where it does not begin', async () => {
    const old = await hostOn(await script("printf '%s\\n' /old 3.8.18"))
    const { diagnostics } = await old.resolve()
    const said = diagnostics.map(({ code, message }) => `${code}: ${message}`).join()
    expect(said).to.include('PYTHON_MISSING').and.include('it is Python 3.8.18')
  })

  it('is given up where it does not begin in time', async () => {
    const executable = await script('exec sleep 60')
    const interpreter = new Interpreter({ executable, log: () => undefined, startMs: 50 })
    const error = await interpreter.python().catch((thrown: unknown) => thrown)
    expect(HostError.is(error) && error.code).to.equal('PYTHON_CRASHED')
    await interpreter.close()
  })
})
