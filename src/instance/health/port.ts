import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../core/config.ts'
import type { Database } from '../../platform/database/index.ts'
import { probePort } from '../../platform/http/port.ts'
import { alive } from './alive.ts'

/** As long as a load balancer needs to read an answer. */
const IDLE_MS = 5_000

const PATHS = new Set(['/health', '/api/v1/streaming/health'])

/**
 * Answers `GET /health` on a port of its own, to whatever speaks HTTP. uWebSockets.js, which serves everything else, refuses HTTP/1.0 with a 505
 * in its native code, before anything of ours runs, and does not answer requests without `Host`; the checks of many load balancers are both.
 * @param sharedPort whether other processes listen on the same port
 * @throws Error when the port is taken
 */
export async function openHealthPort(
  { config, database }: { config: Config; database: Database },
  sharedPort: boolean,
): Promise<{ close(): Promise<void> }> {
  if (!sharedPort) await probePort(config.bind, config.healthPort)
  // Not by `import`: 3 MB that nothing needs where there is no such port.
  const { createServer } = process.getBuiltinModule('node:http')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, text] = await judge(request)
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': text.length,
      'Cache-Control': 'private, no-store',
      Connection: 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }

  async function judge({ method, url = '' }: IncomingMessage): Promise<[status: number, text: string]> {
    const path = url.replace(/\?.*$/, '')
    if ((method !== 'GET' && method !== 'HEAD') || !PATHS.has(path)) return [404, 'Not Found']
    try {
      if (path === '/health') await database.one(alive, {})
      return [200, 'OK']
    } catch {
      return [503, 'Service Unavailable']
    }
  }

  const options = { requireHostHeader: false, keepAliveTimeout: IDLE_MS, headersTimeout: IDLE_MS }
  const server = createServer(options, (request, response) => void answer(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: config.bind, port: config.healthPort, reusePort: sharedPort }, resolve)
  })
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
