import type { Goal } from './report/goals.ts'
import type { Result } from './report/report.ts'
import type { Options } from './options.ts'
import type { Target } from './target/target.ts'

/** What a scenario works with. */
export interface Stage {
  readonly target: Target
  readonly options: Options
  /** Shown to whoever watches. */
  progress(text: string): void
  /** Goes into the report. */
  warn(text: string): void
}

/** What a server must offer: nothing, tokens (`--token`), or that it is our own on seeded data; `itself`: the scenario starts its own servers. */
export type Need = 'nothing' | 'people' | 'own' | 'itself'

export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly needs: Need
  /** Several are run by the name of their group. */
  readonly group: string
  readonly goals: readonly Goal[]
  /** Prepares it: data, ceilings, sockets. */
  open(stage: Stage): Promise<Opened>
}

export interface Opened {
  /** One round: the server, and the ceilings that it is compared with, one right after the other. */
  measure(round: number): Promise<Result[]>
  close(): Promise<void>
}
