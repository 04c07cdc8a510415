import type { IncomingMessage, ServerResponse } from 'node:http'
import { probePort } from '../../platform/http/port.ts'
import type { Services } from '../../platform/services.ts'
import { canServe, PARTS } from './parts.ts'

/** Enough for a load balancer to read the response. */
const IDLE_MS = 5_000

const CHECKS = new Map([
  ['/health', canServe],
  ['/health/database', PARTS.database],
  ['/health/disk', PARTS.disk],
  ['/health/jobs', PARTS.jobs],
  ['/api/v1/streaming/health', undefined],
])

/**
 * Serves `GET /health` and its parts on a separate port for any HTTP client. uWebSockets.js, which
 * serves everything else, rejects HTTP/1.0 with a 505 in native code and does not respond to
 * requests without `Host`; the checks of many load balancers are both.
 * @param sharedPort whether other processes listen on the same port
 * @throws Error when the port is in use
 */
export async function openHealthPort(
  { config, database, jobs }: Pick<Services, 'config' | 'database' | 'jobs'>,
  sharedPort: boolean,
): Promise<{ close(): Promise<void> }> {
  if (!sharedPort) await probePort(config.bind, config.healthPort)
  // Not by `import`: 3 MB that are needed only with this port.
  const { createServer } = process.getBuiltinModule('node:http')

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, text] = await respondTo(request)
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': text.length,
      'Cache-Control': 'private, no-store',
      Connection: 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }

  async function respondTo({ method, url = '' }: IncomingMessage): Promise<[status: number, text: string]> {
    const path = url.replace(/\?.*$/, '')
    if ((method !== 'GET' && method !== 'HEAD') || !CHECKS.has(path)) return [404, 'Not Found']
    try {
      await CHECKS.get(path)?.({ config, database, jobs })
      return [200, 'OK']
    } catch {
      return [503, 'Service Unavailable']
    }
  }

  const options = { requireHostHeader: false, keepAliveTimeout: IDLE_MS, headersTimeout: IDLE_MS }
  const server = createServer(options, (request, response) => void respond(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // A rolling restart opens the port before this process closes it. Others have no such sockets.
    const reusePort = sharedPort || process.platform === 'linux'
    server.listen({ host: config.bind, port: config.healthPort, reusePort }, resolve)
  })
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
