import { expect } from 'chai'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'
import { until } from '../server/load/local-server.ts'

/** A provider that waits in a call that only another thread can end. It waits longer than a test may take. */
const WAITING = `
import threading

kind = "provider"
name = "waiting"

def get_tags(config, models):
    return ["text", "streaming"]

def stream(native, state, *, context):
    ended = threading.Event()

    def end():
        print("ended by the signal", flush=True)
        ended.set()

    context.signal.on_abort(end)
    yield "Waiting."
    ended.wait(60)
`

describe('a request to Python that is cancelled', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  for (const way of ['is left by its reader', 'is aborted'] as const) {
    it(`calls what waits for its end, where it ${way}`, async () => {
      const host = await folder.host([WAITING], { provider: 'waiting' })
      const abort = new AbortController()
      const stream = host.stream({}, 'hello', { signal: abort.signal })
      const read = async () => {
        for await (const { type } of stream) {
          if (type !== 'text-delta') continue
          if (way === 'is left by its reader') return
          abort.abort()
        }
      }
      await read().catch((error: unknown) => expect(error).to.have.property('code', 'ABORTED'))
      await until(() => folder.log.some(({ message }) => message === 'ended by the signal'))
    })
  }
})
