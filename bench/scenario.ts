import type { Step } from './load/requests.ts'
import type { Goal } from './report/goals.ts'
import type { Result } from './report/report.ts'
import type { Options } from './options.ts'
import type { Target } from './target/target.ts'

/** The run that a scenario is part of. */
export interface Run {
  readonly target: Target
  readonly options: Options
  /** Shows the progress to the user. */
  progress(text: string): void
  /** Adds a warning to the report. */
  warn(text: string): void
}

/**
 * The requirements of a server: nothing, tokens (`--token`), or that it is local with seeded data;
 * `itself`: the scenario starts its own servers.
 */
export type Need = 'nothing' | 'people' | 'local' | 'itself'

/** Requests, and the users who send them; without users anonymous. */
export interface Requests {
  readonly tokens: readonly string[]
  readonly steps: readonly Step[]
}

export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly needs: Need
  /** The name of the group, which runs several scenarios. */
  readonly group: string
  readonly goals: readonly Goal[]
  /** Whether the server sends requests to this machine, as to a push service. */
  readonly receives?: boolean
  /** What it measures when it measures nothing but requests. */
  readonly requests?: (run: Run) => Requests | Promise<Requests>
  /** Prepares it: data, baselines, sockets. */
  open(run: Run): Promise<Opened>
}

export interface Opened {
  /** One round: the server, and then the baselines that it is compared with. */
  measure(round: number): Promise<Result[]>
  close(): Promise<void>
}
