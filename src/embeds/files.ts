import { readFile } from 'node:fs/promises'
import { Answer, operation } from '../http/index.ts'

const HEADERS = { 'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400' } as const

const file = (path: string, name: string, type: string, summary: string) =>
  operation({
    method: 'GET',
    path,
    summary,
    auth: 'public',
    scopes: [],
    open: 'always',
    cache: 'own',
    params: {},
    returns: type,
    handle: async () =>
      new Answer(200, `${type}; charset=utf-8`, await readFile(new URL(name, import.meta.url), 'utf8'), HEADERS),
  })

/** What other sites include: it turns quotations into frames. */
export const showScript = file('/embed.js', 'embed.js', 'text/javascript', 'Script that embeds statuses in a page')
export const showFrameScript = file(
  '/assets/embedded.js',
  'embedded.js',
  'text/javascript',
  'Script of the page of an embedded status',
)
export const showStyle = file('/assets/embed.css', 'embed.css', 'text/css', 'Style sheet of embedded statuses')
