import { findFollowers, whois } from '../api.ts'
import { startLoad, type LoadProcess } from '../load/child.ts'
import { latencyFigures } from '../load/latency.ts'
import type { SocketLoad } from '../load/socket_pool.ts'
import type { PostLoad } from '../load/publisher.ts'
import type { SocketAnswer, SocketOrder, SocketReport } from '../load/sockets.ts'
import { checkLoad } from '../measure.ts'
import type { Figures } from '../report/figures.ts'
import type { Run } from '../scenario.ts'

/** A process with open sockets. */
export interface OpenSockets {
  ask(order: SocketOrder): Promise<SocketAnswer>
  post(load: PostLoad): Promise<SocketReport>
  close(): void
}

/** The text of posts whose delivery is measured. */
export const TEXT = 'MARK one status to many sockets'

/** @throws Error if a socket cannot be opened */
export async function openSockets(load: SocketLoad | undefined): Promise<OpenSockets> {
  const child: LoadProcess<SocketOrder, SocketAnswer> = startLoad('sockets')
  try {
    if (load) await child.ask({ open: load })
  } catch (error) {
    child.close()
    throw error
  }
  return {
    ask: order => child.ask(order),
    async post(order) {
      const { report } = await child.ask({ post: order })
      if (!report) throw new Error('the process that holds sockets returned no report')
      return report
    },
    close: () => child.close(),
  }
}

/** The figures of messages received by sockets. */
export function messageFigures(run: Run, what: string, report: SocketReport): Figures {
  checkLoad(run, what, report.cpu)
  const { received, seconds, errors, lost, cpu, latencies } = report
  return { rate: received / seconds, errors, lost, loadCpu: cpu, ...latencyFigures([latencies]) }
}

/** The first user posts; the others receive. */
export async function findListeners({ target }: Run): Promise<{ author: string; tokens: string[] }> {
  const [author = '', ...others] = target.people
  return { author, tokens: await findFollowers(target.url, await whois(target.url, author), others) }
}
