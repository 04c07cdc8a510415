import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { Parser } from 'htmlparser2'
import { lookup } from 'mrmime'
import { InvalidConfig, type Config } from '../../core/config.ts'
import { Response, type Request } from '../../platform/http/index.ts'
import { perServer } from '../../platform/services.ts'

const START_PAGE = 'index.html'
/** Larger files are sent from disk as they are; these can be compressed. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
const TEXT = /^text\/|javascript|json|xml|svg|wasm/
/**
 * Paths that are never a page of the client: an unknown address below them is an error of the
 * server's own.
 */
const OWN_PATHS = /^\/(?:api|oauth|auth|settings|admin|\.well-known|nodeinfo|health|metrics|media|system)(?:\/|$)/
/**
 * Build tools put a hash of at least eight characters into the names of files that never change.
 */
const HASHED = /[.-](?!\d+x\d+\.)(?=\w*[A-Z\d])(\w{8,})\.\w+$/
const FOREVER = 'public, max-age=31536000, immutable'
const FRESH = 'public, max-age=0, must-revalidate'

/** Serves the client's files. */
export interface WebClient {
  /** The file at the path of a GET or HEAD request, or the start page for a page of the client. */
  respond(request: Request): Promise<Response | undefined>
  /** The start page. */
  startPage(): Promise<Response>
}

/** @throws InvalidConfig when WEB_CLIENT is no folder with an index.html */
export async function requireWebClient({ webClient }: Pick<Config, 'webClient'>): Promise<void> {
  if (webClient === undefined) return
  const found = await stat(path.join(webClient, START_PAGE)).catch(() => undefined)
  if (!found?.isFile()) throw new InvalidConfig(`WEB_CLIENT must be a folder with an ${START_PAGE}, not "${webClient}"`)
}

/** The web client of the setting WEB_CLIENT; undefined without one. */
export const createWebClient = perServer(({ config }): WebClient | undefined =>
  config.webClient === undefined ? undefined : webClientOf(config.webClient),
)

function webClientOf(folder: string): WebClient {
  /** The start page with its policy, read again when the file changes. */
  let start: { readonly changedMs: number; readonly response: Response } | undefined

  async function startPage(): Promise<Response> {
    const file = path.join(folder, START_PAGE)
    const { mtimeMs } = await stat(file)
    if (start?.changedMs !== mtimeMs) {
      const text = await readFile(file, 'utf8')
      const headers = { ...policyOf(text), 'Cache-Control': FRESH }
      start = { changedMs: mtimeMs, response: new Response(200, 'text/html; charset=utf-8', text, headers) }
    }
    return start.response
  }

  async function fileAt(requested: string): Promise<Response | undefined> {
    const found = await findFile(folder, requested)
    if (!found) return undefined
    const { file, sizeBytes, modifiedAt } = found
    const type = lookup(file) ?? 'application/octet-stream'
    if (type === 'text/html') return file === path.join(folder, START_PAGE) ? startPage() : htmlFile(file)
    const headers = {
      'Cache-Control': HASHED.test(file) ? FOREVER : FRESH,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'",
    }
    const isText = TEXT.test(type)
    const full = isText && !type.includes('wasm') ? `${type}; charset=utf-8` : type
    if (isText && sizeBytes <= MAX_TEXT_BYTES) return new Response(200, full, await readFile(file), headers)
    return new Response(200, full, { path: file, sizeBytes, modifiedAt }, headers)
  }

  return {
    startPage,
    async respond(request) {
      if (OWN_PATHS.test(request.path)) return undefined
      const file = await fileAt(request.path)
      if (file) return file
      const isPage = /\btext\/html\b/.test(request.header('accept')) && !/\.\w+$/.test(request.path)
      return isPage && !request.path.startsWith('/@') ? startPage() : undefined
    },
  }
}

async function htmlFile(file: string): Promise<Response> {
  const text = await readFile(file, 'utf8')
  return new Response(200, 'text/html; charset=utf-8', text, { ...policyOf(text), 'Cache-Control': FRESH })
}

interface FoundFile {
  readonly file: string
  readonly sizeBytes: number
  readonly modifiedAt: Date
}

/**
 * The file of a path, or the `index.html` of a folder. Never one outside of the client's folder, or
 * one whose name starts with a dot.
 */
async function findFile(folder: string, requested: string): Promise<FoundFile | undefined> {
  const decoded = decodePath(requested)
  if (decoded === undefined) return undefined
  const file = path.join(folder, decoded)
  if (!file.startsWith(folder + path.sep) || decoded.split('/').some(part => part.startsWith('.'))) return undefined
  for (const candidate of [file, path.join(file, START_PAGE)]) {
    const found = await stat(candidate).catch(() => undefined)
    if (!found?.isFile()) continue
    // A link within the folder may lead out of it.
    const real = await realpath(candidate)
    if (!real.startsWith((await realpath(folder)) + path.sep)) return undefined
    return { file: candidate, sizeBytes: found.size, modifiedAt: found.mtime }
  }
  return undefined
}

function decodePath(requested: string): string | undefined {
  try {
    const decoded = decodeURIComponent(requested)
    return decoded.includes('\0') || decoded.includes('\\') || decoded === '/' ? undefined : decoded
  } catch {
    return undefined
  }
}

/**
 * Headers of the client's pages. Its scripts are its files, and the inline scripts of the page by
 * their hashes (CSP Level 3); pictures and connections may go anywhere, since posts do.
 */
function policyOf(text: string): Record<string, string> {
  const hashes = inlineScripts(text).map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return {
    'Content-Security-Policy': [
      "default-src 'self'",
      ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(' '),
      "style-src 'self' 'unsafe-inline'",
      'img-src * data: blob:',
      'media-src * data: blob:',
      'connect-src * data: blob:',
      "font-src 'self' data:",
      "worker-src 'self' blob:",
      'frame-src https:',
      "object-src 'none'",
      "base-uri 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  }
}

function inlineScripts(text: string): string[] {
  const scripts: string[] = []
  let script: string | undefined
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script' && attributes['src'] === undefined) script = ''
    },
    ontext(part) {
      if (script !== undefined) script += part
    },
    onclosetag(name) {
      if (name !== 'script' || script === undefined) return
      scripts.push(script)
      script = undefined
    },
  })
  parser.end(text)
  return scripts
}
