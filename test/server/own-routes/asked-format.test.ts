import { expect } from 'chai'
import structuredOutput from '../../../features/structured-output/index.ts'
import { run } from '../../../src/agent/index.ts'
import { decodeRequest, toResponse } from '../../../src/server/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

const protocol = 'chat-completions'

/** What a route of an application answers to a request for this schema. */
async function answerTo(schema: object, { stream, then }: { stream: boolean; then: object }) {
  const host = await scriptedHost([structuredOutput])
  const body = JSON.stringify({
    model: 'm',
    stream,
    messages: [{ role: 'user', content: 'Where?' }],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  })
  const request = new Request('http://localhost/', { method: 'POST', body })
  const asked = await decodeRequest(request, { protocol })
  const config = {
    ...asked.config,
    enabled_plugins: ['structured-output'],
    settings: { scripted: { script: [{ when: {}, then }] } },
  }
  const response = await toResponse(run(host, { ...asked, config }), asked)
  const text = await response.text()
  await host.close()
  return { status: response.status, text }
}

describe('the format that a client asks of a route of an application', () => {
  for (const stream of [false, true]) {
    const how = stream ? 'in a stream' : 'in one piece'

    it(`has its faults told: ${how}`, async () => {
      const { status, text } = await answerTo({ type: 'strng' }, { stream, then: { text: '{}' } })
      expect(status).to.equal(400)
      expect(text).to.include('"param":"response_format.json_schema.schema.type"')
    })

    it(`has an answer that was cut off end as too long: ${how}`, async () => {
      const then = { text: '{"city": "Ul', finish_reason: 'length' }
      const { status, text } = await answerTo({ type: 'object' }, { stream, then })
      expect(status).to.equal(200)
      expect(text).to.include('"finish_reason":"length"').and.include('Ul')
    })
  }
})
