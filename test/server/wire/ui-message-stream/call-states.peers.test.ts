import { expect } from 'chai'
import {
  SDK_VERSIONS,
  type SdkVersion,
  toUiMessages,
  UI_MESSAGE_STREAM_HEADERS,
  uiMessageEncoder,
} from '../../../../src/server/wire/ui-message-stream/index.ts'
import { ApiServer } from '../api-server.ts'
import { CLASSES, callStates, FACTS, MADE, STORED } from '../call-states.ts'
import { askClients, type ClientAnswer, needsClients } from './chat-clients.ts'

type ToolPart = { readonly type: string; readonly [field: string]: unknown }

describe('calls of tools in the chat clients of the AI SDK', () => {
  let run: Awaited<ReturnType<typeof callStates>>
  let server: ApiServer
  let answers: ReadonlyMap<string, ClientAnswer>

  before(async function () {
    needsClients(this)
    this.timeout(60_000)
    run = await callStates()
    server = await new ApiServer(({ path }) => {
      const sdk = Number(new URL(path, server.url).searchParams.get('sdk')) as SdkVersion
      const encoder = uiMessageEncoder(FACTS, { sdk })
      const pieces = run.events.map((event) => encoder.encode(event)).filter((one) => one !== '')
      return { headers: UI_MESSAGE_STREAM_HEADERS, pieces }
    }).start()
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'go' }] }]
    const jobs = SDK_VERSIONS.map((version) => {
      const url = `${server.url}/?sdk=${version}`
      return { kind: 'read', name: String(version), version, url, id: 'c1', messages } as const
    })
    answers = await askClients(jobs)
  })
  after(() => server?.close())

  const partsOf = (version: SdkVersion): ReadonlyMap<unknown, ToolPart> => {
    const { message, faults, errors } = answers.get(String(version)) ?? {}
    expect({ faults, errors }).to.deep.equal({ faults: [], errors: [] })
    const parts = message?.parts.filter(({ type }) => type === 'dynamic-tool') ?? []
    return new Map(parts.map((part) => [part['toolName'], part]))
  }

  it('LT-05 are errors with their class, as metadata, not in the text', () => {
    for (const version of [6, 7] as const) {
      const parts = partsOf(version)
      expect([...parts.keys()]).to.have.members(Object.keys(CLASSES))
      for (const [name, expected] of Object.entries(CLASSES)) {
        const part = parts.get(name)
        const metadata = part?.['resultProviderMetadata'] as
          | { readonly braidwork?: { readonly error?: { readonly class?: string } } }
          | undefined
        expect(part?.['state'], name).to.equal(expected ? 'output-error' : 'output-available')
        expect(metadata?.braidwork?.error?.class, name).to.equal(expected)
        if (expected) expect(part?.['errorText'], name).not.to.include(expected)
      }
    }
  })

  it('LT-09 have a preview as output, and the reference as metadata', () => {
    for (const version of [6, 7] as const) {
      const large = partsOf(version).get('large')
      expect(large?.['resultProviderMetadata']).to.deep.equal({
        braidwork: { references: [STORED] },
      })
      expect(large?.['output']).to.include('11000 bytes')
    }
  })

  it('LR-04 have artifacts and evidence as metadata', () => {
    for (const version of [6, 7] as const) {
      const metadata = partsOf(version).get('made')?.['resultProviderMetadata']
      expect(metadata).to.deep.equal({ braidwork: MADE })
    }
  })

  it('LT-05 are errors and previews for version 5 too, which takes no metadata of results', () => {
    for (const [name, expected] of Object.entries(CLASSES)) {
      const state = partsOf(5).get(name)?.['state']
      expect(state, name).to.equal(expected ? 'output-error' : 'output-available')
    }
  })

  it('LT-05 are the same when the conversation is loaded again', () => {
    for (const version of [6, 7] as const) {
      const shown = toUiMessages(run.messages, { factsOf: () => FACTS, sdk: version })
      const [loaded] = JSON.parse(JSON.stringify(shown)) as {
        readonly parts: readonly ToolPart[]
      }[]
      const read = partsOf(version)
      for (const part of loaded?.parts ?? []) {
        if (part.type !== 'dynamic-tool') continue
        expect(toldOf(read.get(part['toolName'])), String(part['toolName'])).to.deep.equal(
          toldOf(part),
        )
      }
    }
  })
})

function toldOf(part: ToolPart | undefined): readonly unknown[] {
  return [part?.['state'], part?.['output'], part?.['errorText'], part?.['resultProviderMetadata']]
}
