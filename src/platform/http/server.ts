import { App, us_listen_socket_close, type TemplatedApp, type us_listen_socket } from 'uWebSockets.js'
import { ApiError } from '../../core/errors.ts'
import { shareOf } from '../cache/shares.ts'
import type { Services } from '../services.ts'
import { createHandler } from './handler.ts'
import { preflight } from './headers.ts'
import { createMount } from './mount.ts'
import type { AnyOperation } from './operation.ts'
import { probePort } from './port.ts'
import { createRequestCycle, type Fallback, type RequestCycle } from './request_cycle.ts'
import type { RequestLimits } from './request_limits.ts'
import { createResponseCache } from './response_cache/cache.ts'
import { createLookup } from './response_cache/lookup.ts'
import { routesOf } from './router.ts'
import { requireSignature } from './signature.ts'

/*
 * The border with native code: the objects of uWebSockets.js, how long each is valid, and the rule
 * that follows (checked with 20.x).
 *
 * - HttpRequest: until the route's handler returns. copyRequest copies it before anything else.
 * - HttpResponse: until it is ended or aborted. It is used through Reply only, which knows whether
 *   the client is connected.
 * - A chunk of onData: until the callback returns. body.ts copies it.
 * - A message of a WebSocket: until the callback returns. streaming/socket.ts copies it.
 * - The cork of a response: while its callback runs. An upgrade after an await uses that of another
 *   response: upgrade_workaround.ts.
 * - onWritable must write, or waiting data stays unsent: stream.ts writes a comment until all is
 *   out.
 *
 * onAborted is set before the first await, writes are corked, and nothing is thrown through a
 * callback.
 */

export interface HttpServer {
  /** The listening port. */
  readonly port: number
  /** Accepts no new connections; open ones continue. */
  stopListening(): void
  /**
   * Hands over to other processes on the port: accepts no new connections, and ends each open one
   * after a response, or when it has been idle for ten seconds.
   */
  retire(): Promise<void>
  /** Resolves when no connection is open, WebSockets aside, or after `graceMs`. */
  emptied(graceMs: number): Promise<void>
  /**
   * Stops listening, waits for requests in flight (at most `graceMs`), then closes the remaining
   * connections.
   */
  close(graceMs: number): Promise<void>
}

export interface HttpOptions {
  services: Services
  operations: readonly AnyOperation[]
  limits: RequestLimits
  /**
   * Adds routes that are not plain requests, such as WebSockets.
   * @param upgraded to be called when a connection has become a WebSocket
   */
  extend: (app: TemplatedApp, upgraded: () => void) => void
  /** Responds to GET requests for unknown pages; undefined: the error 404. */
  fallback?: Fallback | undefined
  /** Whether other processes share the port. */
  sharedPort: boolean
}

/** Starts to listen. @throws Error when the port is taken */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { services, limits } = options
  const { config, events, settings } = services
  const app = App()
  const connected = countConnections(app)
  const cycle = createRequestCycle(services, options.fallback)
  const cache = createResponseCache({
    local$: events.local$,
    settings$: settings.changed$,
    maxBytes: shareOf('answers', config),
  })
  services.onClose(() => cache.close())
  const lookup = createLookup({
    cache,
    nextId: cycle.nextId,
    count: config.rateLimits
      ? (response, incoming, paging) =>
          limits.checkAnonymous(incoming.getUrl(), paging, cycle.addressOf(response, incoming))
      : undefined,
  })
  services.metrics.cache('answers', () => ({
    limitBytes: cache.limitBytes,
    sizeBytes: cache.sizeBytes,
    size: cache.size,
    ...lookup.counts(),
  }))
  const mount = createMount({ app, services, cycle, handler: createHandler(services, limits), cache, lookup })
  for (const route of routesOf(options.operations)) {
    mount(route, route.pattern)
    if (!route.pattern.endsWith('/')) mount(route, `${route.pattern}/`)
  }
  options.extend(app, connected.upgraded)
  mountRest(app, cycle, services)

  if (!options.sharedPort) await probePort(config.bind, config.port)
  const socket = await openSocket(app, config.bind, config.port)
  let listening = true
  const stopListening = (): void => {
    if (listening) us_listen_socket_close(socket)
    listening = false
  }
  return {
    port: config.port,
    stopListening,
    async retire() {
      await untilAccepted()
      stopListening()
      cycle.sendAway()
    },
    emptied: connected.none,
    async close(graceMs) {
      stopListening()
      await cycle.drain(graceMs)
      app.close()
    },
  }
}

/** Counts the open connections until they become WebSockets. */
function countConnections(app: TemplatedApp): { upgraded(): void; none(graceMs: number): Promise<void> } {
  let open = 0
  let waiting: (() => void) | undefined
  const count = (change: number): void => {
    open += change
    if (open === 0) waiting?.()
  }
  app.filter((_, change) => count(change))
  return {
    upgraded: () => count(-1),
    none: graceMs =>
      new Promise(resolve => {
        if (open === 0) return resolve()
        const timer = setTimeout(resolve, graceMs)
        waiting = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** An event-loop turn that took less than this had hardly any work. */
const SHORT_TURN_MS = 0.5
const MAX_TURNS = 200

/**
 * Resolves just after the event loop has accepted the connections that waited. Closing a listening
 * socket resets those that the kernel has queued for it since then, so little time may have passed.
 */
async function untilAccepted(): Promise<void> {
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const began = performance.now()
    await new Promise(setImmediate)
    if (turns > 0 && performance.now() - began < SHORT_TURN_MS) return
  }
}

/** Answers preflight requests, and requests that no route serves. */
function mountRest(app: TemplatedApp, cycle: RequestCycle, { settings }: Services): void {
  const preflights = cycle.counted('OPTIONS', 'OPTIONS')
  app.options('/*', (response, incoming) => {
    const [request, reply] = cycle.begin(response, incoming, 'OPTIONS')
    void cycle.serve(request, reply, preflights, async headers => preflight(request, headers))
  })
  const strays = { GET: cycle.counted('GET', 'none'), HEAD: cycle.counted('HEAD', 'none') }
  app.any('/*', (response, incoming) => {
    const rawMethod = incoming.getMethod()
    const method = rawMethod === 'head' ? 'HEAD' : rawMethod === 'get' ? 'GET' : 'POST'
    const [request, reply] = cycle.begin(response, incoming, method)
    void cycle.serve(request, reply, strays[method === 'HEAD' ? 'HEAD' : 'GET'], async () => {
      requireSignature(request, settings)
      throw new ApiError('routeNotFound')
    })
  })
}

function openSocket(app: TemplatedApp, bind: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    app.listen(bind, port, opened => {
      if (opened) resolve(opened)
      else reject(new Error(`cannot listen on ${bind}:${port}`))
    })
  })
}
