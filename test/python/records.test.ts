import { expect } from 'chai'
import { errorOf } from '../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const TOOL = `
import logging, threading
kind = "tool"
name = "says"

def divided():
    """Logs an exception."""
    try:
        return 1 / 0
    except ZeroDivisionError:
        logging.exception("it failed")

def threaded():
    """Fails in a thread."""
    thread = threading.Thread(target=lambda: 1 / 0, name="mine")
    thread.start()
    thread.join()

def chained(key: str):
    """Fails because of another failure."""
    try:
        raise LookupError("inner " + key)
    except LookupError as error:
        raise ValueError("outer") from error

functions = [divided, threaded, chained]
`

describe('the report of a fault of a Python plugin', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  async function logOf(name: string, input: object = {}) {
    const host = await folder.host([TOOL])
    const opened = await host.open()
    await opened.execute({ type: 'tool-call', callId: '1', name, input })
    opened.end()
    await host.close()
    return folder.log as readonly { readonly [fact: string]: unknown }[]
  }

  it('is an entry of an exception that it logs, with class, place and traceback', async () => {
    const [entry] = await logOf('divided')
    expect(entry).to.include({ level: 'error', plugin: 'says', error: 'ZeroDivisionError' })
    expect(entry?.['place']).to.match(/module_0_0\.py:9$/)
    expect(entry?.['message']).to.match(/^it failed\nTraceback [\s\S]*ZeroDivisionError/)
  })

  it('is an entry of an exception that ends a thread', async () => {
    const [entry, ...others] = await logOf('threaded')
    expect(others).to.deep.equal([])
    expect(entry).to.include({ level: 'error', plugin: 'says', error: 'ZeroDivisionError' })
    expect(entry?.['place']).to.match(/module_0_0\.py:15$/)
    expect(entry?.['message']).to.match(/^Exception in mine:\nTraceback /)
  })

  it('is an entry of an exception that ends a tool, with class, place and the exception that caused it', async () => {
    const [entry] = await logOf('chained', { key: 'k' })
    expect(entry).to.include({ level: 'warn', tool: 'chained', error: 'ValueError' })
    expect(entry?.['place']).to.match(/module_0_0\.py:24$/)
    expect(entry?.['stack']).to.include('LookupError: inner k').and.include('direct cause')
  })

  it('says that a hook answered nothing where that is none of its answers', async () => {
    const text = `
kind, name = "extension", "idle"

def edit_messages(messages, state, context):
    pass
`
    const host = await folder.host([text])
    const error = await errorOf(() => host.send({ provider: 'scripted' }, 'hello'))
    expect(error.message).to.include('it answered nothing, but the answer must be an array')
  })
})
