import dns, { type LookupOptions } from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import type { Test } from 'tap'

export type Page = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Other sites for a test: every name below the `example` top-level domains leads to one local
 * server.
 */
export interface Site {
  /** The requests in order: `host/path`. */
  readonly asked: string[]
  readonly requests: IncomingMessage[]
  /** Serves a path, and returns its URL at a host. */
  page(path: string, answer: Page | string | Buffer, headers?: Record<string, string>): string
  url(path: string, host?: string): string
}

const HOST = 'news.example.com'

/**
 * Replaces name resolution in this process, so that `news.example.com`, which posts can link to, is
 * a server of the test.
 */
function lookUpHere(t: Test): void {
  const real = dns.lookup
  const here = (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: unknown, family?: number) => void,
  ): void => {
    const name = isIP(hostname) === 0 && hostname.endsWith('.example.com') ? '127.0.0.1' : hostname
    Reflect.apply(real, dns, [name, options, callback])
  }
  t.intercept(dns, 'lookup', { value: here })
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** Starts a server that ends with the test. Unknown paths are a 404. */
export async function startSite(t: Test): Promise<Site> {
  lookUpHere(t)
  const pages = new Map<string, Page>()
  const asked: string[] = []
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    asked.push(`${request.headers.host?.split(':')[0]}${pathname}`)
    requests.push(request)
    const page = pages.get(pathname)
    if (page) page(request, response)
    else response.writeHead(404, HTML).end('<title>Nothing here</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = (path: string, host = HOST): string => `http://${host}:${port}${path}`
  return {
    asked,
    requests,
    url,
    page(path, answer, headers = HTML) {
      const { pathname } = new URL(path, 'http://site')
      pages.set(
        pathname,
        typeof answer === 'function' ? answer : (_, response) => void response.writeHead(200, headers).end(answer),
      )
      return url(path)
    },
  }
}
