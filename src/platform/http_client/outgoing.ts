import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../core/config.ts'
import { isPublicAddress, literalAddress } from './address.ts'
import { OutgoingFailure, privateAddress } from './failure.ts'
import { lookupPublic } from './lookup.ts'

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
const KEEP_ALIVE_MS = 10_000

/** The HTTP client, loaded at first use: it takes some 10 MB, and many servers send no requests. */
async function openClient(config: Pick<Config, 'allowPrivateAddresses'>) {
  const { Agent, request } = await import('undici')
  const openAgent = (lookup?: LookupFunction): Agent =>
    new Agent({
      connections: CONNECTIONS_PER_HOST,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...(lookup && { lookup }) },
    })
  const toAnywhere = openAgent()
  return { request, toAnywhere, toOthers: config.allowPrivateAddresses ? toAnywhere : openAgent(lookupPublic) }
}

/**
 * Only public addresses are contacted, however a name is resolved, unless private ones are allowed.
 */
export function openOutgoing(config: Pick<Config, 'allowPrivateAddresses' | 'publicUrl'>): Outgoing {
  let client: ReturnType<typeof openClient> | undefined
  const userAgent = `Millrace/${manifest.version} (+${config.publicUrl})`

  async function send(target: URL, options: OutgoingRequest, signal: AbortSignal): Promise<OutgoingResponse> {
    const { request, toAnywhere, toOthers } = await (client ??= openClient(config))
    const response = await request(target, {
      dispatcher: options.trusted ? toAnywhere : toOthers,
      method: options.method ?? 'GET',
      headers: { 'user-agent': userAgent, ...options.headers },
      body: options.body ?? null,
      signal,
      ...(options.silenceMs !== undefined && { headersTimeout: options.silenceMs, bodyTimeout: options.silenceMs }),
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
      await opened?.toAnywhere.destroy()
      await opened?.toOthers.destroy()
    },
  }
}

function parseTarget(url: string, allowPrivate: boolean): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined
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

function failureOf(error: unknown, host: string, timedOut: boolean): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (timedOut || (typeof code === 'string' && TIMEOUT_CODES.has(code))) {
    return new OutgoingFailure('timeout', `${host} took too long`, error)
  }
  return new OutgoingFailure('unreachable', `${host} gave no answer`, error)
}
