// Plain pythonia, in a process of its own: a proxied call a chunk, and its answer by value.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const { python, com } = createRequire(import.meta.url)('pythonia')
const plugin = await python(fileURLToPath(new URL('./looker.py', import.meta.url)))

process.on('message', async ({ chunk, chunks }) => {
  for (let at = 0; at < chunks; at++) {
    const answer = await plugin.process_chunk(chunk, [chunk], [], {}, {})
    await answer.valueOf()
  }
  process.send({ done: true })
})
process.on('disconnect', () => python.exit())
process.send({ pid: com.proc.pid })
