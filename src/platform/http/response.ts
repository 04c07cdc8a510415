import { Json } from './json_chunks.ts'

export { Json, list } from './json_chunks.ts'

/** A file on disk, sent with ranges and conditional requests. */
export interface FileBody {
  path: string
  sizeBytes: number
  modifiedAt: Date
}

/** A body that continues while the client listens, such as server-sent events. */
export interface StreamBody {
  /**
   * Called once, after the headers. The returned function is called when the client has
   * disconnected or the body has ended.
   */
  open(sink: Sink): () => void
  /** Called instead when the client has disconnected already. */
  discard(): void
}

/** The client of a continuous body. Nothing here throws; writes after the end are dropped. */
export interface Sink {
  /**
   * False when it was not sent because the reader is too slow; the reader has then been
   * disconnected.
   */
  write(text: string | Buffer): boolean
  /**
   * Resolves when the written data has been received, or the client has disconnected; undefined
   * when nothing waits.
   */
  drained(): Promise<void> | undefined
  end(): void
}

export type Body = string | Buffer | Json | FileBody | StreamBody | null

/** The response of a handler, when it is more than a JSON value with status 200. */
export class Response {
  readonly status: number
  readonly type: string
  readonly body: Body
  readonly headers: Record<string, string>

  constructor(status: number, type: string, body: Body, headers: Record<string, string> = {}) {
    this.status = status
    this.type = type
    this.body = body
    this.headers = headers
  }

  /** A copy with more headers; a later value replaces an earlier one. */
  with(headers: Record<string, string>): Response {
    return new Response(this.status, this.type, this.body, { ...this.headers, ...headers })
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON of any value; `Json` is sent unchanged. */
export const toText = (value: unknown): string => (value instanceof Json ? value.text : JSON.stringify(value))

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(status, JSON_TYPE, value instanceof Json ? value : JSON.stringify(value), headers)

export const html = (text: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(status, 'text/html; charset=utf-8', text, headers)

export const plain = (text: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(status, 'text/plain; charset=utf-8', text, headers)

export const redirect = (location: string, status = 302, headers: Record<string, string> = {}): Response =>
  new Response(status, 'text/html; charset=utf-8', '', { ...headers, Location: location })

/**
 * A response without a body. Where a body is possible, its type is `text/html`, since clients rely
 * on it: masto.js fails at a response without a type, and does not parse HTML as JSON.
 */
export const empty = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(status, status === 204 ? '' : 'text/html', null, headers)

export const isFile = (body: Body): body is FileBody =>
  body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && 'path' in body

export const isStream = (body: Body): body is StreamBody =>
  body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && 'open' in body
