import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import fc from 'fast-check'
import { lowering } from '../../../src/core/tool-schemas/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { runsOf } from '../../helpers/cases.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { ARGUMENTS } from './schemas.ts'

const SDK = join(ROOT, 'bench/node_modules/@google/genai/dist/node/index.mjs')

interface Client {
  readonly models: { generateContent(request: object): Promise<unknown> }
}

/** What reaches the API of what the SDK was given. */
interface Sent {
  readonly tools: readonly { readonly functionDeclarations: readonly JsonObject[] }[]
  readonly generationConfig: { readonly responseSchema: JsonObject }
}

describe("Google's own SDK", function () {
  this.timeout(30_000)
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += String(data)
    })
    request.on('end', () => {
      sent.push(JSON.parse(body) as Sent)
      response.setHeader('content-type', 'application/json').end('{"candidates":[]}')
    })
  })

  before(function (done) {
    if (!existsSync(SDK)) {
      process.stderr.write('Tests of @google/genai are skipped: run "npm ci --prefix bench"\n')
      this.skip()
    }
    server.listen(0, '127.0.0.1', done)
  })
  after(() => server.close())

  it('takes lowered schemas, and changes nothing of them', async () => {
    const { GoogleGenAI } = (await import(pathToFileURL(SDK).href)) as {
      readonly GoogleGenAI: new (options: object) => Client
    }
    const { port } = server.address() as AddressInfo
    const client = new GoogleGenAI({
      apiKey: 'none',
      httpOptions: { baseUrl: `http://127.0.0.1:${port}` },
    })
    for (const schema of fc.sample(ARGUMENTS, runsOf(60))) {
      const { input_schema } = lowering('google')(schema)
      const declared = { name: 'act', description: 'Acts.', parameters: input_schema }
      await client.models.generateContent({
        model: 'gemini-2.5-flash',
        contents: 'hello',
        config: {
          tools: [{ functionDeclarations: [declared] }],
          responseMimeType: 'application/json',
          responseSchema: structuredClone(input_schema),
        },
      })
      const { tools, generationConfig } = sent.at(-1) ?? expect.fail('nothing was sent')
      expect(tools[0]?.functionDeclarations[0]?.['parameters']).to.deep.equal(input_schema)
      expect(generationConfig.responseSchema).to.deep.equal(input_schema)
    }
  })
})
