import { open, type FileHandle } from 'node:fs/promises'
import type { HttpResponse } from 'uWebSockets.js'
import { isFile, isStream, Json, type Response, type FileBody } from './response.ts'
import { ApiError } from '../../core/errors.ts'
import type { Recorder } from './response_cache/recorder.ts'
import { chooseEncoding, compress, isCompressed } from './compress.ts'
import { etagOf, notModified, parseRange } from './conditional.ts'
import { encode } from './json_chunks.ts'
import type { Request } from './request.ts'
import { stream } from './stream.ts'

/**
 * The reply to a request: uWebSockets.js's response, and whether the client is still connected.
 * All writes use it.
 */
export interface Reply {
  readonly response: HttpResponse
  aborted: boolean
  /** Called once, when the client disconnects before the end of the response. */
  onAbort?: () => void
  /** Called before a response is written: the rest of the request is no longer needed. */
  beforeResponse?: () => void
}

/**
 * Writes the response. Does nothing when the client has disconnected.
 * @param recorder stores it, when it is the same for all
 */
export async function respond(
  reply: Reply,
  request: Request,
  response: Response,
  headers: Record<string, string>,
  recorder?: Recorder,
): Promise<void> {
  reply.beforeResponse?.()
  const { body: content } = response
  const all = { ...headers, ...response.headers }
  if (all['Access-Control-Allow-Origin'] !== undefined) addVary(all, 'Origin')
  if (isStream(content)) {
    const head = { ...all, 'Content-Type': response.type }
    if (request.method !== 'HEAD') return stream(reply, content, () => writeHead(reply.response, response.status, head))
    content.discard()
    return endWithoutBody(reply, response.status, head)
  }
  if (isFile(content)) return sendFile(reply, request, response, content, all)
  if (response.type !== '') all['Content-Type'] = response.type
  if (content === null) return end(reply, request, response.status, all, null)
  const body = content instanceof Json ? encode(content) : content
  const isPublic = response.status === 200 && request.method !== 'POST' && /\bpublic\b/.test(all['Cache-Control'] ?? '')
  const etag = isPublic ? (all['ETag'] ??= etagOf(body)) : ''
  const sizeBytes = typeof body === 'string' ? body.length : body.byteLength
  if (isCompressed(response.type, sizeBytes)) addVary(all, 'Accept-Encoding')
  const unchanged = isPublic && notModified(request, etag, undefined)
  const storing = isPublic && recorder?.allowed === true && all['Set-Cookie'] === undefined ? recorder : undefined
  const text = storing ? body.toString() : ''
  if (unchanged && !storing) return end(reply, request, 304, all, null)
  const encoding = chooseEncoding(request.header('accept-encoding'), response.type, sizeBytes)
  // Other responses are encoded while this one is compressed, in the memory that `encode` reuses.
  const bytes = encoding ? await compress(content instanceof Json ? Buffer.from(body) : body, encoding) : body
  if (encoding) all['Content-Encoding'] = encoding
  storing?.take({ text, body: bytes, head: sharedHead(all), etag })
  return unchanged ? end(reply, request, 304, all, null) : end(reply, request, response.status, all, bytes)
}

/** Adds a request header to Vary. */
export function addVary(headers: Record<string, string>, name: string): void {
  const known = headers['Vary'] ?? ''
  if (!known.split(', ').includes(name)) headers['Vary'] = known === '' ? name : `${known}, ${name}`
}

/**
 * Not by `import`, which would also load node:http's HTTP/2 and WebSocket parts: 3 MB that are not
 * needed here.
 */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

const statusLine = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`

/** A line break in a value would start another header. */
const oneLine = (value: string): string => (/[\r\n]/.test(value) ? value.replace(/[\r\n]+/g, ' ') : value)

/** The headers to send: an empty value removes a default header from a response. */
const sent = (headers: Record<string, string>): [name: string, value: string][] =>
  Object.entries(headers).filter(([, value]) => value !== '')

function writeHead(response: HttpResponse, status: number, headers: Record<string, string>): void {
  response.writeStatus(statusLine(status))
  for (const [name, value] of sent(headers)) {
    // Cookies are the only header that is sent several times; each line of the value is one.
    if (name === 'Set-Cookie') for (const cookie of value.split('\n')) response.writeHeader(name, cookie)
    else response.writeHeader(name, oneLine(value))
  }
}

/** Headers of one request or client. */
const OWN_HEADERS = /^(?:Content-Type|X-Request-Id|X-RateLimit-.*|Connection)$/

/**
 * The headers that are the same for all clients: the value of Content-Type, and the others as
 * lines.
 */
function sharedHead(headers: Record<string, string>): string {
  const others = sent(headers).filter(([name]) => !OWN_HEADERS.test(name))
  return [headers['Content-Type'] ?? '', ...others.map(([name, value]) => `${name}: ${oneLine(value)}`)].join('\r\n')
}

function end(
  reply: Reply,
  request: Request,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer | null,
): void {
  if (status === 304 || status === 204) return endWithoutBody(reply, status, headers)
  if (request.method === 'HEAD') {
    return endWithoutBody(reply, status, headers, body === null ? 0 : Buffer.byteLength(body))
  }
  if (reply.aborted) return
  const { response } = reply
  const closes = takeClosing(headers)
  response.cork(() => {
    writeHead(response, status, headers)
    response.end(body ?? '', closes)
  })
  reply.aborted = true
}

/**
 * uWebSockets.js writes `Connection: close` itself when it is told to close the connection.
 * (Without a body, and after chunks, it writes something wrong, 20.x, tried: there the client
 * closes it.)
 */
function takeClosing(headers: Record<string, string>): boolean {
  if (headers['Connection'] !== 'close') return false
  headers['Connection'] = ''
  return true
}

/**
 * Ends a response without a body.
 *
 * uWebSockets.js's `endWithoutBody` takes a length as well, but then waits for as many bytes (20.x,
 * tried): the connection's next request is never answered. So the length is written as a normal
 * header.
 * @param sizeBytes the body's size in the response to GET, where it is known
 */
function endWithoutBody(reply: Reply, status: number, headers: Record<string, string>, sizeBytes?: number): void {
  if (reply.aborted) return
  const { response } = reply
  response.cork(() => {
    writeHead(response, status, headers)
    if (sizeBytes !== undefined) response.writeHeader('Content-Length', String(sizeBytes))
    response.endWithoutBody()
  })
  reply.aborted = true
}

/**
 * Sends a file, or the requested range (RFC 9110, section 14), reading no faster than the client
 * receives it.
 * @throws ApiError routeNotFound when it was removed after the handler's check
 */
async function sendFile(
  reply: Reply,
  request: Request,
  response: Response,
  file: FileBody,
  headers: Record<string, string>,
): Promise<void> {
  const all: Record<string, string> = {
    ...headers,
    'Content-Type': response.type,
    'Last-Modified': file.modifiedAt.toUTCString(),
    'Accept-Ranges': 'bytes',
  }
  all['ETag'] ??= `"${file.modifiedAt.getTime().toString(36)}-${file.sizeBytes.toString(36)}"`
  if (notModified(request, all['ETag'], file.modifiedAt)) return end(reply, request, 304, all, null)
  // Only GET has ranges (RFC 9110, section 14.2).
  const range = request.method === 'HEAD' ? undefined : parseRange(request.header('range'), file.sizeBytes)
  if (range === 'unsatisfiable') {
    return end(reply, request, 416, { ...all, 'Content-Range': `bytes */${file.sizeBytes}` }, '')
  }
  const { first, last } = range ?? { first: 0, last: file.sizeBytes - 1 }
  const sizeBytes = last - first + 1
  if (range) all['Content-Range'] = `bytes ${first}-${last}/${file.sizeBytes}`
  const status = range ? 206 : response.status
  if (request.method === 'HEAD' || sizeBytes === 0) return endWithoutBody(reply, status, all, sizeBytes)
  const handle = await openExisting(file.path)
  if (reply.aborted) return handle.close()
  pump(reply, handle, first, last, () => writeHead(reply.response, status, all))
}

/**
 * Opened before anything is written: an open file can be read to its end, even if it is removed
 * meanwhile.
 */
async function openExisting(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new ApiError('routeNotFound')
    throw error
  }
}

function pump(reply: Reply, handle: FileHandle, first: number, last: number, head: () => void): void {
  const { response } = reply
  const sizeBytes = last - first + 1
  // Closes the file when it ends or is destroyed.
  const source = handle.createReadStream({ start: first, end: last })
  reply.onAbort = () => source.destroy()
  let begun = false
  let rest: { bytes: Buffer; offset: number } | undefined
  const write = (bytes: Buffer): void => {
    const offset = response.getWriteOffset()
    response.cork(() => {
      if (!begun) head()
      begun = true
      const [taken, ended] = response.tryEnd(bytes, sizeBytes)
      if (ended) {
        reply.aborted = true
        source.destroy()
      } else if (!taken) {
        rest = { bytes, offset }
        source.pause()
      }
    })
  }
  response.onWritable(offset => {
    if (!rest || reply.aborted) return true
    const [taken, ended] = response.tryEnd(rest.bytes.subarray(offset - rest.offset), sizeBytes)
    if (ended) {
      reply.aborted = true
      source.destroy()
    } else if (taken) {
      rest = undefined
      source.resume()
    }
    return taken
  })
  source.on('data', chunk => {
    if (!reply.aborted) write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  })
  // When a file cannot be read, or has become shorter, the connection must be closed: its length
  // has been sent.
  const fail = (): void => {
    if (!reply.aborted) response.close()
  }
  source.on('error', fail)
  source.on('end', () => {
    if (source.bytesRead < sizeBytes) fail()
  })
}
