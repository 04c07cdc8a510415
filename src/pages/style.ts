import { readFile } from 'node:fs/promises'
import { Answer, operation } from '../http/index.ts'

const STYLE = new URL('style.css', import.meta.url)

/** The style sheet of all pages. */
export const showStyle = operation({
  method: 'GET',
  path: '/assets/style.css',
  summary: 'Style sheet of the HTML pages',
  auth: 'public',
  scopes: [],
  open: 'always',
  cache: 'own',
  params: {},
  returns: 'text/css',
  async handle() {
    const headers = { 'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400' }
    return new Answer(200, 'text/css; charset=utf-8', await readFile(STYLE, 'utf8'), headers)
  },
})
