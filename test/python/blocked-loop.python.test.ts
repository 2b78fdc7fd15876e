import { expect } from 'chai'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import type { Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

/** Blocks the event loop, by the text of the last message. */
const BLOCKING = `
import asyncio, os, time

kind = "feature"
name = "blocking"

def spin():
    while True:
        try:
            while True: pass
        except Exception:
            pass

async def spin_later():
    spin()

def sleep():
    print("blocking")
    time.sleep(60)

async def edit_messages(messages, state, context):
    text = messages[-1]["parts"][0]["text"]
    if text == "spin":
        print("blocking")
        spin()
    if text == "sleep":
        sleep()
    if text == "spin in C":
        print("blocking")
        sum(range(10**12))
    if text == "spin in a task":
        await asyncio.get_running_loop().create_task(spin_later())
    if text == "leave a task that sleeps":
        asyncio.get_running_loop().call_later(0.05, sleep)
    if text == "compute":
        print("blocking")
        time.sleep(1)
    return messages

async def run_action(id, input):
    return os.getpid()
`

const TOOL = `
import asyncio

kind = "tool"
name = "lazy"

async def wait(seconds: float):
    """Waits."""
    await asyncio.sleep(seconds)
    return "waited"

functions = [wait]
`

/** Its hook is not \`async\`, but answers with a coroutine. */
const INDIRECT = `
import asyncio, os

kind = "feature"
name = "indirect"

async def _later(messages):
    await asyncio.sleep(1 if "long" in str(messages) else 0)
    return messages

def edit_messages(messages, state):
    return _later(messages)

def run_action(id, input):
    return os.getpid()
`

describe('async hooks of Python that block the event loop', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  let host: Host
  eachPythonFolder((made) => {
    folder = made
  })
  beforeEach(async () => {
    host = await folder.host([BLOCKING, TOOL], { provider: 'scripted' })
  })

  const limits = { limits: { hook: 0.4, execute_tool: 0.4 } }
  const pidOf = async () => (await host.runAction('blocking', 'pid', null)) as number
  const say = (text: string, config: ConfigLayer = {}) =>
    host.send(config, text).then(
      ({ status }) => status as string,
      (error: unknown) => (HostError.is(error) ? error.code : String(error)),
    )
  const blocked = async () => {
    while (!folder.log.some(({ message }) => message === 'blocking')) {
      await new Promise(setImmediate)
    }
  }

  async function call(config: ConfigLayer): Promise<unknown> {
    const opened = await host.open(config)
    const input = { seconds: 0.05 }
    const { output } = await opened.execute({ type: 'tool-call', callId: 'c', name: 'wait', input })
    opened.end()
    return output
  }

  for (const text of ['spin', 'spin in a task']) {
    it(`are interrupted, and the interpreter stays: ${text}`, async () => {
      const pid = await pidOf()
      expect(await say(text, limits)).to.equal('TIMEOUT')
      expect(await Promise.all([say('hello', limits), call(limits)])).to.deep.equal([
        'done',
        'waited',
      ])
      expect(await pidOf()).to.equal(pid)
    })
  }

  for (const text of ['sleep', 'spin in C']) {
    it(`are ended with their interpreter, and what waits runs in the next one: ${text}`, async () => {
      const pid = await pidOf()
      const hung = say(text, limits)
      await blocked()
      const waiting = Promise.all([say('hello', limits), call(limits), say('hello')])
      expect(await hung).to.equal('TIMEOUT')
      expect(await waiting).to.deep.equal(['done', 'waited', 'done'])
      expect(await pidOf()).to.not.equal(pid)
    })
  }

  it('fail nothing that comes after them, however soon', async () => {
    expect(await say('sleep', limits)).to.equal('TIMEOUT')
    expect(await Promise.all([say('hello', limits), call(limits)])).to.deep.equal([
      'done',
      'waited',
    ])
  })

  it('take no time from hooks that wait for them, and are not interrupted within their limit', async () => {
    const pid = await pidOf()
    const computing = say('compute')
    await blocked()
    expect(await Promise.all([say('hello', limits), call(limits)])).to.deep.equal([
      'done',
      'waited',
    ])
    expect(await computing).to.equal('done')
    expect(await pidOf()).to.equal(pid)
  })

  it('are not interrupted within their limit because a hook beside them is late', async () => {
    const pid = await pidOf()
    const opened = await host.open({ limits: { execute_tool: 0.3 } })
    const input = { seconds: 60 }
    const late = opened.execute({ type: 'tool-call', callId: 'c', name: 'wait', input })
    const computing = say('compute')
    await blocked()
    expect(JSON.stringify(await late)).to.include('did not answer within')
    expect(await computing).to.equal('done')
    expect(await pidOf()).to.equal(pid)
    opened.end()
  })

  it('may have left it to a callback, and those that wait run in the next interpreter', async () => {
    const pid = await pidOf()
    expect(await say('leave a task that sleeps', limits)).to.equal('done')
    await blocked()
    expect(await say('hello', limits)).to.equal('done')
    expect(await pidOf()).to.not.equal(pid)
  })

  it('are told where they hang', async () => {
    expect(await say('sleep', limits)).to.equal('TIMEOUT')
    expect(await say('hello', limits)).to.equal('done')
    const said = folder.log.map(({ message }) => message).join('\n')
    expect(said).to.include('in edit_messages')
  })

  it('may answer a `def` with a coroutine, whose limit is that of the hook alone', async () => {
    const own = await folder.host([INDIRECT], { provider: 'scripted' })
    const pid = await own.runAction('indirect', 'pid', null)
    const [late, other] = await Promise.allSettled([
      own.send(limits, 'long'),
      own.send(limits, 'hello'),
    ])
    expect(late).to.have.nested.property('reason.code', 'TIMEOUT')
    expect(other.status).to.equal('fulfilled')
    expect(await own.runAction('indirect', 'pid', null)).to.equal(pid)
  })
})
