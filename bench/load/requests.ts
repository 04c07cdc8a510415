import { histogram, latencyOf } from '../latency.ts'
import type { Latency } from '../report.ts'
import { openConnection } from './connection.ts'

/* A process that sends one request over and over on some connections, each waiting for its answer (a closed loop). */

export interface RequestLoad {
  url: string
  path: string
  /** Taken in turn by the connections. */
  tokens: readonly string[]
  connections: number
  warmupMs: number
  measureMs: number
}

export interface RequestOutcome {
  requests: number
  errors: number
  seconds: number
  latency: Latency
  /** CPU seconds a second of this process. */
  cpu: number
}

async function generate(load: RequestLoad): Promise<RequestOutcome> {
  const { hostname, port } = new URL(load.url)
  const recorded = histogram()
  let requests = 0
  let errors = 0
  const startAt = performance.now() + load.warmupMs
  const endAt = startAt + load.measureMs
  let cpuAtStart: NodeJS.CpuUsage | undefined

  async function loop(index: number): Promise<void> {
    const token = load.tokens[index % load.tokens.length]
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
    const request = Buffer.from(`GET ${load.path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${authorization}\r\n`)
    const connection = await openConnection(hostname, Number(port))
    for (let sentAt = performance.now(); sentAt < endAt;) {
      const status = await connection.send(request)
      const now = performance.now()
      if (sentAt >= startAt && now <= endAt) {
        cpuAtStart ??= process.cpuUsage()
        requests += 1
        if (status !== 200) errors += 1
        recorded.recordValue(Math.max(1, Math.round((now - sentAt) * 1000)))
      }
      sentAt = now
    }
    connection.close()
  }

  await Promise.all(Array.from({ length: load.connections }, (_, index) => loop(index)))
  const used = process.cpuUsage(cpuAtStart)
  const seconds = load.measureMs / 1000
  const cpu = (used.user + used.system) / 1e6 / seconds
  return { requests, errors, seconds, latency: latencyOf(recorded), cpu }
}

process.on('message', (load: RequestLoad) => {
  generate(load).then(
    outcome => process.send?.(outcome, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
