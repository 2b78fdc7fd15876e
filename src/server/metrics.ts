/** The server's counters, printed in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  #startedRuns = 0

  countRequest(route: string, status: number): void {
    const labels = `route="${route}",status="${status}"`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
  }

  countRun(): void {
    this.#startedRuns++
  }

  print(activeRuns: number): string {
    const { heapUsed } = process.memoryUsage()
    return [
      ...family('braidwork_active_runs', 'gauge', [['', activeRuns]]),
      ...family('braidwork_runs_total', 'counter', [['', this.#startedRuns]]),
      ...family('braidwork_requests_total', 'counter', [...this.#requests]),
      ...family('braidwork_heap_bytes', 'gauge', [['', heapUsed]]),
      '',
    ].join('\n')
  }
}

function family(
  name: string,
  type: 'gauge' | 'counter',
  samples: readonly (readonly [labels: string, value: number])[],
): readonly string[] {
  const lines = samples.map(
    ([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`,
  )
  return [`# TYPE ${name} ${type}`, ...lines]
}
