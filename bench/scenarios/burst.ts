import { findAudience, whois } from '../load/audience.ts'
import { startLoad } from '../load/child.ts'
import { nowMicroseconds, type SocketAnswer } from '../load/sockets.ts'
import type { Result } from '../report.ts'
import type { Scenario, Stage } from '../scenarios.ts'

const SOCKETS = 2000
const STATUSES_A_SECOND = 100
const WAIT_MS = 30_000

/** Posts at a constant rate, whether or not the one before has been answered (an open loop). */
async function postAtRate(stage: Stage): Promise<{ posted: number; errors: number }> {
  const { url, tokens } = stage.target
  const answers: Promise<boolean>[] = []
  const total = stage.seconds * STATUSES_A_SECOND
  const startedAt = performance.now()
  for (let count = 0; count < total; count += 1) {
    const dueMs = startedAt + (count * 1000) / STATUSES_A_SECOND - performance.now()
    if (dueMs > 0) await new Promise(resolve => setTimeout(resolve, dueMs))
    // One author: of several, some would be blocked or muted by some of the readers, and rightly not heard by them.
    const token = tokens[0] ?? ''
    answers.push(
      fetch(`${url}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          status: `bench-${nowMicroseconds()}- one of a burst`,
          visibility: 'public',
          language: 'en',
        }),
      }).then(
        async answer => (await answer.text(), answer.ok),
        () => false,
      ),
    )
  }
  const accepted = (await Promise.all(answers)).filter(Boolean).length
  return { posted: accepted, errors: total - accepted }
}

export const burst: Scenario = {
  name: 'burst',
  summary: `${STATUSES_A_SECOND} public statuses a second to ${SOCKETS} sockets: none may be lost`,
  async measure(stage) {
    stage.progress(`burst: ${SOCKETS} sockets, round ${stage.round} …`)
    const holders = [startLoad('sockets'), startLoad('sockets')]
    try {
      const { url } = stage.target
      const [author = '', ...others] = stage.target.tokens
      const tokens = await findAudience(url, await whois(url, author), others)
      const sockets = SOCKETS / holders.length
      await Promise.all(
        holders.map(holder => holder.ask<SocketAnswer>({ open: { url, stream: 'public', tokens, sockets } })),
      )
      const before = await stage.target.usage()
      const startedAt = performance.now()
      const { posted, errors } = await postAtRate(stage)
      const expect = posted * sockets
      await Promise.all(holders.map(holder => holder.ask<SocketAnswer>({ expect, waitMs: WAIT_MS })))
      const seconds = (performance.now() - startedAt) / 1000
      const after = await stage.target.usage()
      const answers = await Promise.all(holders.map(holder => holder.ask<SocketAnswer>({ finish: true })))
      const reports = answers.flatMap(answer => ('report' in answer ? [answer.report] : []))
      const received = reports.reduce((sum, report) => sum + report.received, 0)
      const result: Result = {
        scenario: `burst to ${SOCKETS} sockets`,
        subject: 'server',
        round: stage.round,
        unit: 'messages',
        rate: received / seconds,
        // Of the holder that was slower; percentiles of two histograms cannot be added.
        latency: reports.map(report => report.latency).sort((a, b) => b.p99 - a.p99)[0] ?? {
          p50: 0,
          p90: 0,
          p99: 0,
          p999: 0,
          max: 0,
          mean: 0,
        },
        errors,
        lost: posted * SOCKETS - received,
        loadCpu: reports.reduce((sum, report) => sum + report.cpuSeconds, 0) / seconds,
        serverCpu: before && after ? (after.cpuSeconds - before.cpuSeconds) / seconds : undefined,
        serverMemoryBytes: after?.memoryBytes,
      }
      return [result]
    } finally {
      for (const holder of holders) holder.close()
    }
  },
}
