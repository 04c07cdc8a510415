import type { Scenario } from './scenario.ts'
import { burst } from './scenarios/burst.ts'
import { day } from './scenarios/day.ts'
import { eventLatency } from './scenarios/event_latency.ts'
import { fanoutHome, fanoutPublic } from './scenarios/fanout.ts'
import { federation } from './scenarios/federation.ts'
import { firstReads } from './scenarios/first_reads.ts'
import { idle } from './scenarios/idle.ts'
import { mixed } from './scenarios/mixed.ts'
import { sizes, start, workers } from './scenarios/local_servers.ts'
import { writes } from './scenarios/posting.ts'
import { reads } from './scenarios/reads.ts'
import { restart } from './scenarios/restart.ts'
import { storm } from './scenarios/storm.ts'

/** All scenarios. Those that restart the server come last. */
export const scenarios: readonly Scenario[] = [
  ...reads,
  ...writes,
  fanoutPublic,
  fanoutHome,
  eventLatency,
  burst,
  storm,
  idle,
  mixed,
  day,
  ...firstReads,
  ...federation,
  restart,
  start,
  workers,
  sizes,
]

/** Additional groups: all scenarios that only read. */
const ALIASES: Readonly<Record<string, readonly string[]>> = { reads: ['anonymous', 'signed-in'] }

/**
 * The scenarios with these names or in these groups, in the order of measurement; all if no name is
 * given.
 * @throws Error for an unknown name
 */
export function chooseScenarios(names: readonly string[], all: readonly Scenario[] = scenarios): Scenario[] {
  const selected = names.flatMap(name => ALIASES[name] ?? [name])
  const unknown = selected.find(name => !all.some(scenario => scenario.name === name || scenario.group === name))
  if (unknown !== undefined) throw new Error(`unknown scenario "${unknown}"; see --list`)
  if (selected.length === 0) return [...all]
  return all.filter(({ name, group }) => selected.includes(name) || selected.includes(group))
}

const NEEDS = {
  nothing: '',
  people: 'needs tokens of people',
  local: 'needs a server of its own',
  itself: 'starts servers of its own',
} as const

/** The output of `--list`. */
export const listScenarios = (): string =>
  scenarios
    .map(({ name, group, summary, needs }) => {
      const need = NEEDS[needs]
      return `${name.padEnd(22)} ${group.padEnd(10)} ${summary}${need === '' ? '' : ` (${need})`}\n`
    })
    .join('')
