/**
 * Counts the source files that run in two walks, using V8's coverage of the built packages: from `host.stream` to the
 * provider's code, and from a provider's chunk to the body of a web stream. `npm run walks` prints both counts.
 */
import { Session } from 'node:inspector/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from '@braidwork/plugin'

const { createHost } = (await import(built('core'))) as typeof import('@braidwork/core')
const { memoryStorage } = (await import(built('agent'))) as typeof import('@braidwork/agent')
const { createServer, LOCAL } = (await import(
  built('server')
)) as typeof import('@braidwork/server')

/** The number of chunks in an answer. When the last ones arrive, all code is loaded and warm. */
const CHUNKS = 6
/** Milliseconds in which a chunk surely reaches the body, including the 20 ms for which events are grouped. */
const ARRIVED = 60

function built(name: string): string {
  return new URL(`../src/${name}/dist/index.js`, import.meta.url).href
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** The files of Braidwork in which a function ran since the last call. */
async function filesSince(): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  )
  const own = ran.flatMap(({ url }) => /\/(src\/\w+)\/dist\/(.*)\.js$/.exec(url)?.slice(1) ?? [])
  const files = own.flatMap((part, at) => (at % 2 ? [] : [`${part}/${own[at + 1]}`]))
  return files.filter((file) => !file.includes('plugin/bundle/chunk')).toSorted()
}

let toProvider: readonly string[] = []
let onStack: readonly string[] = []
let fromChunk: readonly string[] = []

/** The paths of built files in a stack trace, without repetitions. */
function filesOf(stack: string): readonly string[] {
  const paths = [...stack.matchAll(/\/(src\/\w+)\/dist\/([\w/-]+)\.js/g)]
  return [...new Set(paths.map(([, part, file]) => `${part}/${file}`))]
}

const provider: Provider = {
  kind: 'provider',
  name: 'measured',
  getModels: () => ['any'],
  getTags: () => ['text', 'streaming'],
  call: (native, state) => [[], [], native, state],
  async *stream() {
    onStack = filesOf(new Error('here').stack ?? '')
    toProvider = await filesSince()
    yield { type: 'text-start', id: 't' }
    for (let at = 0; at < CHUNKS; at++) {
      yield { type: 'text-delta', id: 't', delta: 'word ' }
      await wait(ARRIVED)
      fromChunk = await filesSince()
    }
    yield { type: 'text-end', id: 't' }
  },
}

function print(what: string, files: readonly string[]): void {
  console.log(`${what}: ${files.length} files\n${files.map((file) => `  ${file}`).join('\n')}`)
}

Error.stackTraceLimit = Number.POSITIVE_INFINITY
const host = await createHost({ plugins: [provider], config: { model: 'any' } })
try {
  for (let round = 0; round < 2; round++) {
    await filesSince()
    await host.stream({}, 'Hello').result
  }
  print('on the stack of the provider', onStack)
  print('run between host.stream and the provider', toProvider)
  const server = await createServer({ host, storage: memoryStorage(), anonymous: LOCAL })
  const request = new Request('http://localhost/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'any',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  })
  const response = await server.fetch(request)
  const text = await response.text()
  if (!text.includes('word')) throw new Error(`The server answered ${response.status}: ${text}`)
  print("run between a chunk and the web stream's body", fromChunk)
  await server.close()
} finally {
  await host.close()
  session.disconnect()
}
