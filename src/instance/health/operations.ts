import { ApiError } from '../../core/errors.ts'
import { isAddressIn, parseNetworks } from '../../core/networks.ts'
import { json, operation, plain, Response } from '../../platform/http/index.ts'
import { canServe, PARTS } from './parts.ts'

const NO_STORE = { 'Cache-Control': 'private, no-store' }

/** Whether the process can serve requests: the database responds. */
const health = operation({
  method: 'GET',
  path: '/health',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'string',
  summary: 'Check whether the server can serve requests',
  cache: 'handler',
  allowWhenClosed: 'always',
  async handle(_, services) {
    await canServe(services)
    return services.request.header('accept').includes('application/json')
      ? json({ status: 'UP' }, 200, NO_STORE)
      : plain('OK', 200, NO_STORE)
  },
})

/** Whether one part that the server needs works, for monitoring of each part by itself. */
const partHealth = (part: keyof typeof PARTS, summary: string) =>
  operation({
    method: 'GET',
    path: `/health/${part}`,
    auth: 'public',
    scopes: [],
    params: {},
    returns: 'string',
    summary,
    cache: 'handler',
    allowWhenClosed: 'always',
    async handle(_, services) {
      await PARTS[part](services)
      return plain('OK', 200, NO_STORE)
    },
  })

const parts = [
  partHealth('database', 'Check whether the database responds and can be written to'),
  partHealth('disk', 'Check whether the disk has space'),
  partHealth('jobs', 'Check whether background jobs are run'),
]

/** Whether streaming works: the event log is being read. */
const streamingHealth = operation({
  method: 'GET',
  path: '/api/v1/streaming/health',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'string',
  summary: 'Check whether streams are served',
  cache: 'handler',
  allowWhenClosed: 'always',
  handle: () => plain('OK', 200, NO_STORE),
})

/** Prometheus metrics, only for the addresses in METRICS_FROM. */
const metrics = operation({
  method: 'GET',
  path: '/metrics',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'string',
  summary: 'Show the metrics in Prometheus’ text format',
  cache: 'handler',
  async handle(_, { config, metrics: registry, request }) {
    if (!isAddressIn(request.address, parseNetworks(config.metricsFrom))) throw new ApiError('routeNotFound')
    const { text, type } = await registry.render()
    return new Response(200, type, text, NO_STORE)
  },
})

export const operations = [health, ...parts, streamingHealth, metrics]
