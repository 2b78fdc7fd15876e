import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { Served } from '../routes/served.ts'

type Body = { readonly [field: string]: unknown }

/** A server in front of model APIs that fail, and the bodies of the requests that they got. */
export class Upstream {
  readonly bodies: Body[] = []
  readonly served: Served

  private constructor(served: Served, bodies: Body[]) {
    this.served = served
    this.bodies = bodies
  }

  /** @param models the configs of the published models, by their names */
  static async start(models: { readonly [name: string]: object }): Promise<Upstream> {
    const bodies: Body[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)) as Body)
      return new Response('{"error":{"message":"no"}}', { status: 400 })
    }
    const settings = {
      anthropic: { api_key: 'sk-ant-test-0123456789', max_retries: 0 },
      openai: { api_key: 'sk-test-0123456789', max_retries: 0 },
    }
    const published = Object.entries(models).map(([name, config]) => [name, { config }] as const)
    const served = await Served.start(
      { models: Object.fromEntries(published) as never },
      { plugins: [createAnthropic({ fetch }), createOpenAI({ fetch })], config: { settings } },
    )
    return new Upstream(served, bodies)
  }

  /** Sends a request, and returns the body of the request that the model API got for it. */
  async bodyOf(path: string, body: object, headers: { readonly [name: string]: string } = {}) {
    const { headers: answered, status, text } = await this.served.ask(path, { body, headers })
    const sent = this.bodies.shift()
    if (sent === undefined) throw new Error(`The API got no request: ${status} ${text}`)
    return { sent, ignored: answered.get('x-braidwork-ignored') }
  }

  close(): Promise<void> {
    return this.served.close()
  }
}
