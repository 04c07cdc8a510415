import { createLatencies, type Latencies } from './latency.ts'

export interface Outcome {
  readonly requests: number
  readonly errors: number
  /** Encoded. */
  readonly latencies: string
}

/** Counts the responses to one kind of request. */
export class Count {
  requests = 0
  errors = 0
  readonly latencies: Latencies = createLatencies()

  add(isError: boolean, microseconds: number): void {
    this.requests += 1
    if (isError) this.errors += 1
    this.latencies.record(microseconds)
  }
  get outcome(): Outcome {
    return { requests: this.requests, errors: this.errors, latencies: this.latencies.encode() }
  }
}
