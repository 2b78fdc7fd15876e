import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { type RunOptions, run } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import {
  type AskOptions,
  createHost,
  type EmbedOptions,
  type HostOptions,
  type OpenOptions,
  type RequestOptions,
} from '../../src/core/index.ts'
import { createServer, LOCAL, type ServerOptions } from '../../src/server/index.ts'

/** The names of the options that may be left out, but not given as `undefined`. */
type Missing<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name>
    ? { readonly [Same in Name]: undefined } extends Pick<Options, Name>
      ? never
      : Name
    : never
}[keyof Options]

interface Doors {
  readonly host: HostOptions
  readonly open: OpenOptions
  readonly ask: AskOptions
  readonly request: RequestOptions
  readonly embed: EmbedOptions
  readonly run: RunOptions
  readonly server: ServerOptions
}

type Lacking = { [Door in keyof Doors]: Missing<Doors[Door]> }[keyof Doors]

/** Options that may be left out, each as `undefined`. */
const absent = <Options>(...names: readonly (keyof Options)[]): Partial<Options> =>
  Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Options>

// `npm run types` is a part of the test: no name may be missing.
describe('options that are undefined', () => {
  it('are allowed by the types of all functions of a program', () => {
    const missing: readonly Lacking[] = []
    const none: readonly never[] = missing
    expect(none).to.deep.equal([])
  })

  it('count as left out', async () => {
    const hostOptions = absent<HostOptions>('from', 'config', 'log', 'storage', 'python')
    await using host = await createHost({
      plugins: [scripted],
      protectedFiles: undefined,
      ...hostOptions,
    })
    const runOptions = absent<RunOptions>(
      ...(['config', 'context', 'signal', 'tools', 'maxSteps', 'conversationId', 'runId'] as const),
      ...(['resume', 'call', 'takenCallIds', 'environment', 'committed', 'late'] as const),
      ...(['results', 'canAsk', 'withholds', 'modelInfo', 'stopConditions', 'agent'] as const),
      ...(['active', 'rules', 'identity', 'delegates', 'childTools', 'subagent'] as const),
      ...(['childLimits', 'parent', 'steering', 'routing', 'retry', 'canReset'] as const),
      ...(['breakers', 'startWait', 'onAnswer', 'onEvent'] as const),
    )
    const plain = await run(host, { messages: 'My name is Ada.' }).result
    const result = await run(host, { messages: 'My name is Ada.', ...runOptions }).result
    expect(result.error).to.equal(undefined)
    expect(result.messages.map(({ parts }) => parts)).to.deep.equal(
      plain.messages.map(({ parts }) => parts),
    )
    const serverOptions = absent<ServerOptions>(
      ...(['models', 'runtime', 'agents', 'storable', 'authenticate', 'storedTokens'] as const),
      ...(['hosts', 'origins', 'limits', 'cancelAfter', 'heartbeat', 'retention'] as const),
      ...(['keepResponses', 'askAllowedOn', 'pushNotifications', 'telemetry'] as const),
      ...(['mcpTools', 'settable', 'actions', 'trustsProxy', 'logsContent'] as const),
      ...(['showsUpstreamErrors', 'page', 'basePath', 'log', 'environment', 'lease'] as const),
      ...(['instructions', 'config'] as const),
    )
    const needed = { host, storage: memoryStorage(), anonymous: LOCAL }
    const server = await createServer({ ...needed, ...serverOptions })
    const { status } = await server.fetch(new Request('http://localhost/v1/models'))
    expect(status).to.equal(200)
    await server.close()
  })
})
