import { Json } from './json_chunks.ts'

export { Json, list } from './json_chunks.ts'

/** A file on disk, sent with ranges and conditional requests. */
export interface FileBody {
  path: string
  sizeBytes: number
  modifiedAt: Date
}

/** A body that goes on for as long as the client listens, such as server-sent events. */
export interface StreamBody {
  /** Called once, when the head has been sent. What it returns is called when the client is gone or the body has ended. */
  open(sink: Sink): () => void
  /** Called instead when there is nobody to send to. */
  discard(): void
}

/** The far end of a body that goes on. Nothing here throws; what comes after the end is dropped. */
export interface Sink {
  /** False when it was not sent because the reader is too slow; then the reader has been cut off. */
  write(text: string | Buffer): boolean
  /** Resolves when what was written has been taken, or the client is gone; undefined when nothing waits. */
  drained(): Promise<void> | undefined
  end(): void
}

export type Body = string | Buffer | Json | FileBody | StreamBody | null

/** What a handler answers when it is more than a JSON value with status 200. */
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

  /** A copy with more headers. A header given twice is sent with the later value. */
  with(headers: Record<string, string>): Response {
    return new Response(this.status, this.type, this.body, { ...this.headers, ...headers })
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON of any value; `Json` is taken as it is. */
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
 * An answer without a body. Where a body could be, it says `text/html` as the reference's do, and clients rely on it: masto.js
 * fails at an answer without a type, and asks for no JSON in one of HTML.
 */
export const empty = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(status, status === 204 ? '' : 'text/html', null, headers)

export const isFile = (body: Body): body is FileBody =>
  body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && 'path' in body

export const isStream = (body: Body): body is StreamBody =>
  body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && 'open' in body
