import { burst } from './scenarios/burst.ts'
import { home } from './scenarios/home.ts'
import { idle } from './scenarios/idle.ts'
import { streaming } from './scenarios/streaming.ts'
import type { Result } from './report.ts'
import type { Target } from './target.ts'

export interface Stage {
  target: Target
  round: number
  seconds: number
  warmup: number
  connections: number
  sockets: number
  /** Idle sockets. */
  idle: number
  rate: number
  progress: (text: string) => void
}

export interface Scenario {
  readonly name: string
  readonly summary: string
  /** One round: the server and the ceilings that it is compared with. */
  measure(stage: Stage): Promise<Result[]>
}

export const scenarios: readonly Scenario[] = [home, streaming, burst, idle]
