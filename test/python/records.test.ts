import { expect } from 'chai'
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

describe('an exception in a Python plugin', () => {
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

  it('that it logs is an entry with its class, its place and its traceback', async () => {
    const [entry] = await logOf('divided')
    expect(entry).to.include({ level: 'error', plugin: 'says', error: 'ZeroDivisionError' })
    expect(entry?.['place']).to.match(/module_0_0\.py:9$/)
    expect(entry?.['message']).to.match(/^it failed\nTraceback [\s\S]*ZeroDivisionError/)
  })

  it('that ends a thread is an entry of its plugin', async () => {
    const [entry, ...others] = await logOf('threaded')
    expect(others).to.deep.equal([])
    expect(entry).to.include({ level: 'error', plugin: 'says', error: 'ZeroDivisionError' })
    expect(entry?.['place']).to.match(/module_0_0\.py:15$/)
    expect(entry?.['message']).to.match(/^Exception in mine:\nTraceback /)
  })

  it('that ends a tool is an entry with its class, its place and the exception that caused it', async () => {
    const [entry] = await logOf('chained', { key: 'k' })
    expect(entry).to.include({ level: 'warn', tool: 'chained', error: 'ValueError' })
    expect(entry?.['place']).to.match(/module_0_0\.py:24$/)
    expect(entry?.['stack']).to.include('LookupError: inner k').and.include('direct cause')
  })
})
