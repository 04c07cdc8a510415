import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../core/config.ts'
import { isPublicAddress, literalAddress } from './address.ts'
import { OutgoingFailure, privateAddress } from './failure.ts'
import { lookupPublic } from './lookup.ts'
import { parseUrl } from '../../core/parse_url.ts'

export interface OutgoingRequest {
  /** Default GET. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** Responses are not decompressed: do not ask for compression. */
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** The total time: name, connection, head and body. */
  timeoutMs: number
  /** The longest silence before the head and within the body. */
  silenceMs?: number
  /** The maximum size of the body; the rest is not read. */
  maxBytes: number
  /** The operator configured the URL, so it may be a private address. */
  trusted?: boolean
  /**
   * The request may arrive twice (RFC 9110, section 9.2.2): when the other side closes a connection
   * that was kept alive, it is sent once more. Default true for all methods but POST.
   */
  idempotent?: boolean
  /** Aborts the request. */
  signal?: AbortSignal
}

export interface OutgoingResponse {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** False if the body exceeded `maxBytes` and was cut off. */
  readonly complete: boolean
}

/** Requests to other servers, at URLs from users unless they are `trusted`. */
export interface Outgoing {
  /**
   * One http or https request. Redirects are not followed: the caller checks the status.
   * @throws OutgoingFailure without a response, and the signal's reason after an abort
   */
  request(url: string, options: OutgoingRequest): Promise<OutgoingResponse>
  /** Aborts running requests and closes all connections. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5000
const CONNECTIONS_PER_HOST = 8
/** Other servers close idle connections after 5 s (Node.js), 10 s (uWebSockets.js) or more. */
const KEEP_ALIVE_MS = 4000

interface Agents {
  readonly keepAlive: Agent
  /** For a request that the other side did not answer on a connection that was kept alive. */
  readonly newConnections: Agent
}

/** The HTTP client, loaded at first use: it takes some 10 MB, and many servers send no requests. */
async function openClient(config: Pick<Config, 'allowPrivateAddresses'>) {
  const { Agent, errors, request } = await import('undici')
  const openAgents = (lookup?: LookupFunction): Agents => {
    const options = {
      connections: CONNECTIONS_PER_HOST,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...(lookup && { lookup }) },
    }
    return {
      keepAlive: new Agent({ ...options, keepAliveTimeout: KEEP_ALIVE_MS }),
      // In undici, pipelining 0 closes each connection after its response.
      newConnections: new Agent({ ...options, pipelining: 0 }),
    }
  }
  /**
   * Whether the other side closed a connection that it may have kept alive: just when the request
   * was sent. A new connection from which nothing was read was closed because of the request.
   */
  const wasKeptAlive = (error: unknown): boolean =>
    error instanceof errors.SocketError
      ? error.socket?.bytesRead !== 0
      : ['ECONNRESET', 'EPIPE'].includes(codeOf(error))
  const toAnywhere = openAgents()
  const toOthers = config.allowPrivateAddresses ? toAnywhere : openAgents(lookupPublic)
  return { request, wasKeptAlive, toAnywhere, toOthers }
}

export const userAgentOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  `Millrace/${manifest.version} (+${publicUrl})`

/**
 * Only public addresses are contacted, however a name is resolved, unless private ones are allowed.
 */
export function openOutgoing(config: Pick<Config, 'allowPrivateAddresses' | 'publicUrl'>): Outgoing {
  let client: ReturnType<typeof openClient> | undefined
  const userAgent = userAgentOf(config)

  async function send(target: URL, options: OutgoingRequest, signal: AbortSignal): Promise<OutgoingResponse> {
    const { request, wasKeptAlive, toAnywhere, toOthers } = await (client ??= openClient(config).catch(
      (error: unknown) => {
        // Its files may be missing while they are replaced.
        client = undefined
        throw error
      },
    ))
    const { method = 'GET', headers, body = null, silenceMs, idempotent = method !== 'POST' } = options
    const { keepAlive, newConnections } = options.trusted ? toAnywhere : toOthers
    const sendBy = (dispatcher: Agent) =>
      request(target, {
        dispatcher,
        method,
        headers: { 'user-agent': userAgent, ...headers },
        body,
        signal,
        ...(silenceMs !== undefined && { headersTimeout: silenceMs, bodyTimeout: silenceMs }),
      })
    const response = await sendBy(keepAlive).catch((error: unknown) => {
      if (idempotent && wasKeptAlive(error)) return sendBy(newConnections)
      throw error
    })
    return { status: response.statusCode, headers: response.headers, ...(await readBody(response, options.maxBytes)) }
  }

  return {
    async request(url, options) {
      const target = parseTarget(url, config.allowPrivateAddresses || options.trusted === true)
      // Callers subtract times of performance.now(), which have fractions.
      const timeout = AbortSignal.timeout(Math.ceil(options.timeoutMs))
      const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
      try {
        return await send(target, options, signal)
      } catch (error) {
        options.signal?.throwIfAborted()
        throw failureOf(error, target.host, timeout.aborted)
      }
    },
    async close() {
      const opened = await client
      if (!opened) return
      const { toAnywhere, toOthers } = opened
      const agents = [toAnywhere, toOthers].flatMap(({ keepAlive, newConnections }) => [keepAlive, newConnections])
      await Promise.all(agents.map(agent => agent.destroy()))
    },
  }
}

function parseTarget(url: string, allowPrivate: boolean): URL {
  const target = parseUrl(url)
  if (!target || !['http:', 'https:'].includes(target.protocol) || target.username !== '' || target.password !== '') {
    throw new OutgoingFailure('refused', 'The URL is not one of http or https without a password')
  }
  // An IP address is not looked up.
  const address = literalAddress(target)
  if (!allowPrivate && address !== undefined && !isPublicAddress(address)) {
    throw privateAddress(target.host)
  }
  return target
}

async function readBody(
  { body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<{ body: Buffer; complete: boolean }> {
  const chunks: Buffer[] = []
  let leftBytes = maxBytes
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes.subarray(0, leftBytes))
    leftBytes -= bytes.length
    if (leftBytes < 0) return { body: Buffer.concat(chunks), complete: false }
  }
  return { body: Buffer.concat(chunks), complete: true }
}

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

function failureOf(error: unknown, host: string, timedOut: boolean): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  if (timedOut || TIMEOUT_CODES.has(codeOf(error))) {
    return new OutgoingFailure('timeout', `${host} took too long`, error)
  }
  return new OutgoingFailure('unreachable', `${host} gave no answer`, error)
}
