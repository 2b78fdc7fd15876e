import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createHost } from '@braidwork/core'
import scripted from '@braidwork/provider-scripted'
import { createServer, LOCAL, listen } from '@braidwork/server'
import { openStorage } from '@braidwork/store'

/** A program: serves the working directory's config, and is killed where it would go on with a run. */
const { server: served, plugins, ...config } = JSON.parse(readFileSync('braidwork.json', 'utf8'))
const storage = await openStorage(served.store)
storage.runs.resume = () => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}
const host = await createHost({ plugins: [scripted, resolve(plugins[0])], config, storage })
const server = await createServer({ host, storage, anonymous: LOCAL, models: served.models })
const { url } = await listen(server, { port: 0, hostname: '127.0.0.1' })
process.stdout.write(`${url}\n`)
