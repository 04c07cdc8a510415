import { readFile } from 'node:fs/promises'
import { Response, operation, type AnyOperation } from '../http/index.ts'

const HEADERS = { 'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400' } as const

/**
 * The operation for a file that pages need, such as a style sheet.
 * @param file next to the code that declares it: `new URL('style.css', import.meta.url)`
 */
export const asset = (path: string, file: URL, type: 'text/css' | 'text/javascript', summary: string): AnyOperation =>
  operation({
    method: 'GET',
    path,
    summary,
    auth: 'public',
    scopes: [],
    allowWhenClosed: 'always',
    cache: 'handler',
    params: {},
    returns: type,
    handle: async () => new Response(200, `${type}; charset=utf-8`, await readFile(file, 'utf8'), HEADERS),
  })
