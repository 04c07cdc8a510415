import { checkResponse } from './responses/check.ts'
import { openEvents, type TestEvents } from './events.ts'
import { openSocket, type TestSocket } from './socket.ts'
import type { ServerAddress } from './server.ts'

/** A complete response. */
export interface ClientResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, or undefined. */
  readonly json: unknown
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** An object is sent as JSON; text, FormData and URLSearchParams unchanged. */
  body?: unknown
  query?: Record<string, string | readonly string[]>
}

/** An HTTP client with or without a token. */
export class Client {
  readonly server: ServerAddress
  readonly token: string | undefined
  readonly #sockets: TestSocket[] = []
  readonly #events: TestEvents[] = []

  constructor(server: ServerAddress, token?: string) {
    this.server = server
    this.token = token
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<ClientResponse> {
    const url = new URL(path, this.server.url)
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const one of typeof value === 'string' ? [value] : value) url.searchParams.append(name, one)
    }
    const headers: Record<string, string> = { ...options.headers }
    if (this.token !== undefined) headers['authorization'] ??= `Bearer ${this.token}`
    const { body } = options
    const ready = typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams
    if (body !== undefined && !ready) headers['content-type'] ??= 'application/json'
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      body: body === undefined ? null : ready ? body : JSON.stringify(body),
    })
    const text = await response.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      // Not JSON; the test reads the text.
    }
    const { status, headers: received } = response
    await checkResponse(method, url.pathname, { status, type: received.get('content-type') ?? '', json })
    return { status, headers: received, text, json }
  }

  get(path: string, query: Record<string, string | readonly string[]> = {}, headers = {}): Promise<ClientResponse> {
    return this.request('GET', path, { query, headers })
  }
  post(path: string, body?: unknown, headers = {}): Promise<ClientResponse> {
    return this.request('POST', path, { body, headers })
  }
  put(path: string, body?: unknown): Promise<ClientResponse> {
    return this.request('PUT', path, { body })
  }
  patch(path: string, body?: unknown): Promise<ClientResponse> {
    return this.request('PATCH', path, { body })
  }
  delete(path: string, body?: unknown): Promise<ClientResponse> {
    return this.request('DELETE', path, { body })
  }

  /** Opens a WebSocket; with a name it subscribes to that stream. */
  async stream(name?: string, parameters: Record<string, string> = {}): Promise<TestSocket> {
    const socket = await openSocket(this.server, this.token, name, parameters)
    this.#sockets.push(socket)
    return socket
  }

  /** Opens a path below /api/v1/streaming as a stream of server-sent events. */
  async events(path: string, headers: Record<string, string> = {}): Promise<TestEvents> {
    const events = await openEvents(this.server, this.token, path, headers)
    this.#events.push(events)
    return events
  }

  async close(): Promise<void> {
    for (const events of this.#events) events.close()
    await Promise.all(this.#sockets.map(socket => socket.close()))
  }
}

/** The `rel` target of a Link header as path with query, or undefined. */
export function linkOf(answer: ClientResponse, rel: 'next' | 'prev'): string | undefined {
  const found = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1]
  if (found === undefined) return undefined
  const url = new URL(found)
  return url.pathname + url.search
}
