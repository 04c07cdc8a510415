import { openJobs, type Job, type Jobs } from '../platform/jobs/index.ts'

type JobsOptions<Services> = Parameters<typeof openJobs<Services>>[0]

export interface AllJobs<Services> extends Jobs {
  start(services: Services): Promise<void>
}

/** The maximum number of simultaneous jobs of this process that do not federate. */
const LOCAL_AT_ONCE = 4
/** More than of the others, because federation jobs mostly wait for other servers. */
const FEDERATED_AT_ONCE = 8

const isFederated = ({ name }: Job<unknown, never>): boolean => name.startsWith('federation.')

/**
 * The jobs of this process. Federation has a worker of its own, so that mail, push and media never
 * wait for a slow server.
 */
export function openAllJobs<Services>(options: Omit<JobsOptions<Services>, 'concurrency'>): AllJobs<Services> {
  const { jobs } = options
  const groups = [
    openJobs<Services>({ ...options, jobs: jobs.filter(job => !isFederated(job)), concurrency: LOCAL_AT_ONCE }),
    openJobs<Services>({ ...options, jobs: jobs.filter(isFederated), concurrency: FEDERATED_AT_ONCE }),
  ]
  const sum = (name: 'succeeded' | 'failed' | 'givenUp'): number =>
    groups.reduce((total, group) => total + group.statistics()[name], 0)
  return {
    kinds: groups.flatMap(group => group.kinds),
    statistics: () => ({ succeeded: sum('succeeded'), failed: sum('failed'), givenUp: sum('givenUp') }),
    async start(services) {
      await Promise.all(groups.map(group => group.start(services)))
    },
    async close() {
      await Promise.all(groups.map(group => group.close()))
    },
  }
}
