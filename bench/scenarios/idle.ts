import { startLoad, type LoadProcess } from '../load/child.ts'
import type { SocketAnswer } from '../load/sockets.ts'
import type { Result } from '../report.ts'
import type { Scenario, Stage } from '../scenarios.ts'

/** A process opens no more than this, so that neither its memory nor its number of open files limits. */
const SOCKETS_A_PROCESS = 2500
const NO_LATENCY = { p50: 0, p90: 0, p99: 0, p999: 0, max: 0, mean: 0 }

async function openAll(stage: Stage): Promise<LoadProcess[]> {
  const holders: LoadProcess[] = []
  for (let left = stage.idle; left > 0; left -= SOCKETS_A_PROCESS) {
    const holder = startLoad('sockets')
    holders.push(holder)
    const sockets = Math.min(left, SOCKETS_A_PROCESS)
    const { url, tokens } = stage.target
    await holder.ask<SocketAnswer>({ open: { url, stream: 'user', tokens, sockets } })
  }
  return holders
}

export const idle: Scenario = {
  name: 'idle',
  summary: 'what an idle stream costs: sockets opened a second, and resident memory of the server for each',
  async measure(stage) {
    stage.progress(`idle: ${stage.idle} sockets, round ${stage.round} …`)
    const before = await stage.target.usage()
    const startedAt = performance.now()
    const holders = await openAll(stage)
    const seconds = (performance.now() - startedAt) / 1000
    const after = await stage.target.usage()
    for (const holder of holders) await holder.ask<SocketAnswer>({ finish: true })
    const grownBytes = before && after ? after.memoryBytes - before.memoryBytes : Number.NaN
    const result: Result = {
      scenario: `${stage.idle} idle streams`,
      subject: Number.isNaN(grownBytes) ? 'server' : `server: ${Math.round(grownBytes / stage.idle)} bytes each`,
      round: stage.round,
      unit: 'sockets opened',
      rate: stage.idle / seconds,
      latency: NO_LATENCY,
      errors: 0,
      lost: 0,
      loadCpu: Number.NaN,
      serverCpu: before && after ? (after.cpuSeconds - before.cpuSeconds) / seconds : undefined,
      serverMemoryBytes: after?.memoryBytes,
    }
    return [result]
  },
}
