import { startCeiling } from './ceilings.ts'
import { startLoad } from '../load/child.ts'
import { nowMicroseconds, type SocketAnswer, type SocketReport } from '../load/sockets.ts'
import type { Result } from '../report.ts'
import type { Scenario, Stage } from '../scenarios.ts'

const STREAM = 'public'
const WAIT_MS = 10_000

async function post(url: string, token: string, text: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: text, visibility: 'public', language: 'en' }),
  })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`posting answers ${answer.status}: ${body}`)
  return body
}

function reportOf(answer: SocketAnswer): SocketReport {
  if (!('report' in answer)) throw new Error('the socket holder gave no report')
  return answer.report
}

/** Posts one status after the other, each when the one before has reached every socket, and counts what arrives. */
async function deliver(stage: Stage, subject: string, url: string, tokens: readonly string[]): Promise<Result> {
  stage.progress(`streaming: ${subject}, ${stage.sockets} sockets, round ${stage.round} …`)
  const holder = startLoad('sockets')
  try {
    await holder.ask<SocketAnswer>({ open: { url, stream: STREAM, tokens, sockets: stage.sockets } })
    const before = await stage.target.usage()
    const startedAt = performance.now()
    const pause = 1000 / stage.rate
    let posted = 0
    let errors = 0
    let busyMs = 0
    while (performance.now() - startedAt < stage.seconds * 1000) {
      const postedAt = performance.now()
      await post(url, tokens[0] ?? '', `bench-${nowMicroseconds()}- one status to many sockets`).catch(
        () => (errors += 1),
      )
      posted += 1
      await holder.ask<SocketAnswer>({ expect: posted * stage.sockets, waitMs: WAIT_MS })
      const tookMs = performance.now() - postedAt
      busyMs += tookMs
      if (tookMs < pause) await new Promise(resolve => setTimeout(resolve, pause - tookMs))
    }
    const after = await stage.target.usage()
    const elapsed = (performance.now() - startedAt) / 1000
    const report = reportOf(await holder.ask<SocketAnswer>({ finish: true }))
    const own = subject === 'server' && before && after
    return {
      scenario: `a status to ${stage.sockets} sockets`,
      subject,
      round: stage.round,
      unit: 'messages',
      rate: report.received / (busyMs / 1000),
      latency: report.latency,
      errors,
      lost: posted * stage.sockets - report.received,
      loadCpu: report.cpuSeconds / elapsed,
      serverCpu: own ? (after.cpuSeconds - before.cpuSeconds) / elapsed : undefined,
      serverMemoryBytes: own ? after.memoryBytes : undefined,
    }
  } finally {
    holder.close()
  }
}

export const streaming: Scenario = {
  name: 'streaming',
  summary:
    'one public status to many streaming sockets: from posting to arrival, and messages a second while it is delivered',
  async measure(stage) {
    const entity = await post(stage.target.url, stage.target.tokens[0] ?? '', 'bench MARK one status to many sockets')
    const frame = JSON.stringify({ stream: [STREAM], event: 'update', payload: entity })
    const ceiling = await startCeiling('{}', frame, undefined)
    try {
      return [
        await deliver(stage, 'server', stage.target.url, stage.target.tokens),
        await deliver(stage, 'bare publish', ceiling.url, ['']),
      ]
    } finally {
      ceiling.close()
    }
  },
}
