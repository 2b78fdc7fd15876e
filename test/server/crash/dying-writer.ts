/** A program: serves the working directory's config, and is killed behind its nth write, the first argument. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Storage } from '@braidwork/agent'
import { createHost } from '@braidwork/core'
import scripted from '@braidwork/provider-scripted'
import { createServer, LOCAL, listen } from '@braidwork/server'
import { openStorage } from '@braidwork/store'

/** What a conversation and its runs are stored by. The renewal of leases is left out, since it goes by the clock. */
const WRITES: readonly (readonly [part: keyof Storage, method: string])[] = [
  ['conversations', 'create'],
  ['conversations', 'update'],
  ['conversations', 'append'],
  ['runs', 'start'],
  ['runs', 'resume'],
  ['runs', 'append'],
  ['runs', 'end'],
  ['runs', 'addLate'],
  ['approvals', 'answer'],
  ['files', 'put'],
]

const deadly = Number(process.argv[2])
let written = 0

type Write = (...args: unknown[]) => Promise<unknown>

function dieBehind(storage: Storage): void {
  for (const [part, method] of WRITES) {
    const target = storage[part] as unknown as { [method: string]: Write }
    const write = (target[method] as Write).bind(target)
    target[method] = async (...args) => {
      const done = await write(...args)
      if (++written !== deadly) return done
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    }
  }
}

const { server: served, plugins, ...config } = JSON.parse(readFileSync('braidwork.json', 'utf8'))
const storage = await openStorage(served.store)
dieBehind(storage)
const own = plugins.map((path: string) => resolve(path))
const host = await createHost({ plugins: [scripted, ...own], config, storage })
const server = await createServer({ host, storage, anonymous: LOCAL, models: served.models })
const { url } = await listen(server, { port: 0, hostname: '127.0.0.1' })
process.stdout.write(`${url}\n`)
