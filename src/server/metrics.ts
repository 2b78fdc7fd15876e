import { ERROR_CODES, type Usage } from '@braidwork/plugin'
import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The most identities with a label of their own. All later ones are counted together, as `other`. */
const MOST_IDENTITIES = 100

/** Seconds of answers of models, from a tenth of a second to ten minutes. */
const ANSWER_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]
/** Seconds of work in this process and its storage. */
const WORK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
const TOKENS = [10, 100, 500, 1000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000]

/** The codes of requests for embeddings that no model API refused. */
const UNSENT = new Set(['ABORTED', 'EMBEDDINGS_MISSING', 'OPTION_INVALID'])

/** One request to a model that has ended. */
export interface MeasuredAnswer {
  /** The name of the published model. */
  readonly model: string
  readonly identity: string
  readonly seconds: number
  /** Seconds until the first output. Absent if there was none. */
  readonly firstSeconds?: number | undefined
  /** The tokens that the model API reported. */
  readonly told: Pick<Usage, 'input' | 'output'>
  /** The tokens that count: those reported, or an estimate. */
  readonly used: Pick<Usage, 'input' | 'output'>
  /** In US dollars. */
  readonly cost: number
  /** The code of the error that ended it. */
  readonly error?: string | undefined
}

/** A request for embeddings in progress. One of the functions is called once, when it ends. */
export interface MeasuredEmbeddings {
  /** @param cost in US dollars */
  readonly end: (tokens: number, cost: number) => void
  readonly fail: (code: string) => void
}

export interface MeasuredRun {
  readonly model: string
  readonly identity: string
  readonly status: string
  readonly seconds: number
}

/** The server's counters and histograms, printed in the text format of Prometheus. */
export class Metrics {
  readonly #registry: Registry
  readonly #active: Gauge
  readonly #heap: Gauge
  readonly #runs: Counter
  readonly #requests: Counter
  readonly #responses: Histogram
  readonly #first: Histogram
  readonly #answers: Histogram
  readonly #runSeconds: Histogram
  readonly #tokens: Histogram
  readonly #allTokens: Counter
  readonly #cost: Counter
  readonly #errors: Counter
  readonly #storage: Histogram
  readonly #commits: Histogram
  readonly #queue: Histogram
  readonly #embeddings: Histogram
  readonly #identities = new Set<string>()

  /** Loads the library, which only servers need. */
  static async create(): Promise<Metrics> {
    // A bundler that splits gives a CommonJS module only this name.
    return new Metrics((await import('prom-client')).default)
  }

  private constructor({ Counter, Gauge, Histogram, Registry }: typeof import('prom-client')) {
    const registry = new Registry()
    const counter = (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `braidwork_${name}`, help, labelNames, registers: [registry] })
    const gauge = (name: string, help: string) =>
      new Gauge({ name: `braidwork_${name}`, help, registers: [registry] })
    const histogram = (name: string, buckets: number[], help: string, ...labelNames: string[]) =>
      new Histogram({ name: `braidwork_${name}`, help, buckets, labelNames, registers: [registry] })
    this.#registry = registry
    this.#active = gauge('active_runs', 'Runs in progress.')
    this.#heap = gauge('heap_bytes', 'Memory in use by JavaScript.')
    this.#runs = counter('runs_total', 'Runs that were started or resumed.')
    this.#requests = counter('requests_total', 'HTTP requests.', 'route', 'status')
    const response = 'From an HTTP request to the begin of its response.'
    this.#responses = histogram('response_seconds', WORK_SECONDS, response, 'route')
    const first = 'From a request to a model to its first output.'
    this.#first = histogram('first_output_seconds', ANSWER_SECONDS, first, 'model')
    const answer = 'From a request to a model to the end of its answer.'
    this.#answers = histogram('answer_seconds', ANSWER_SECONDS, answer, 'model')
    const run = 'From the start of a run, or of its continuation, to its end.'
    this.#runSeconds = histogram('run_seconds', ANSWER_SECONDS, run, 'model', 'identity', 'status')
    const tokens = 'Tokens of a request to a model and of its answer.'
    this.#tokens = histogram('answer_tokens', TOKENS, tokens, 'model', 'kind')
    this.#allTokens = counter('tokens_total', 'All tokens.', 'model', 'identity', 'kind')
    this.#cost = counter('cost_dollars_total', 'Known and estimated costs.', 'model', 'identity')
    this.#errors = counter('upstream_errors_total', 'Failed answers.', 'model', 'code')
    const storage = 'From a call of the storage to its end.'
    this.#storage = histogram('storage_seconds', WORK_SECONDS, storage, 'operation')
    const commit = 'How long a tool call waited until its record was stored.'
    this.#commits = histogram('commit_wait_seconds', WORK_SECONDS, commit)
    const queue = 'How long events of runs waited until the storage was called.'
    this.#queue = histogram('commit_queue_seconds', WORK_SECONDS, queue)
    const embeddings = 'From a request for embeddings to their end.'
    this.#embeddings = histogram('embeddings_seconds', WORK_SECONDS, embeddings, 'model')
  }

  countRequest(route: string, status: number, seconds: number): void {
    this.#requests.inc({ route, status })
    this.#responses.observe({ route }, seconds)
  }

  countRun(): void {
    this.#runs.inc()
  }

  addRun({ model, identity, status, seconds }: MeasuredRun): void {
    this.#runSeconds.observe({ model, identity: this.#bounded(identity), status }, seconds)
  }

  addAnswer({ model, seconds, firstSeconds, cost, error, ...answer }: MeasuredAnswer): void {
    const { told, used } = answer
    const identity = this.#bounded(answer.identity)
    this.#answers.observe({ model }, seconds)
    if (firstSeconds !== undefined) this.#first.observe({ model }, firstSeconds)
    for (const kind of ['input', 'output'] as const) {
      const tokens = told[kind]
      if (tokens !== undefined) this.#tokens.observe({ model, kind }, tokens)
      this.#allTokens.inc({ model, identity, kind }, used[kind] ?? 0)
    }
    if (cost > 0) this.#cost.inc({ model, identity }, cost)
    if (error !== undefined) this.#errors.inc({ model, code: known(error) })
  }

  addStorage(operation: string, seconds: number): void {
    this.#storage.observe({ operation }, seconds)
  }

  addCommit(seconds: number): void {
    this.#commits.observe(seconds)
  }

  addQueued(seconds: number): void {
    this.#queue.observe(seconds)
  }

  /** Measures a request for embeddings. */
  beginEmbeddings(about: Pick<MeasuredAnswer, 'model' | 'identity'>): MeasuredEmbeddings {
    const { model } = about
    const identity = this.#bounded(about.identity)
    const observe = this.#embeddings.startTimer({ model })
    return {
      end: (tokens, cost) => {
        observe()
        this.#tokens.observe({ model, kind: 'input' }, tokens)
        this.#allTokens.inc({ model, identity, kind: 'input' }, tokens)
        if (cost > 0) this.#cost.inc({ model, identity }, cost)
      },
      fail: (code) => {
        observe()
        if (!UNSENT.has(code)) this.#errors.inc({ model, code: known(code) })
      },
    }
  }

  async print(activeRuns: number): Promise<string> {
    this.#active.set(activeRuns)
    this.#heap.set(process.memoryUsage().heapUsed)
    const text = await this.#registry.metrics()
    return text.replaceAll('\n\n', '\n')
  }

  #bounded(identity: string): string {
    if (this.#identities.size < MOST_IDENTITIES) this.#identities.add(identity)
    return this.#identities.has(identity) ? identity : 'other'
  }
}

/** A plugin may throw an error with any code; only known ones become labels. */
function known(code: string): string {
  return Object.hasOwn(ERROR_CODES, code) ? code : 'other'
}
