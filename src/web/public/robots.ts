import { operation, plain } from '../../platform/http/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'

/**
 * Paths that are of no use to search engines. Not the API, although it is one of them: clients such
 * as FediFetcher obey this file too.
 */
const DISALLOWED = [
  '/auth/',
  '/oauth/',
  '/settings/',
  '/admin/',
  '/media_proxy/',
  '/redirect/',
  '/authorize_interaction',
]

/**
 * The pages that search engines may read (RFC 9309). Accounts that opted out say so on their pages.
 */
export const robotsFile = operation({
  ...PUBLIC_PAGE,
  path: '/robots.txt',
  summary: 'Show the rules for search engines',
  params: {},
  returns: 'text/plain',
  handle: (_, { settings }) => {
    const isClosed = settings.get('limited_federation_mode')
    const rules = isClosed ? ['Allow: /api/', 'Disallow: /'] : DISALLOWED.map(path => `Disallow: ${path}`)
    return plain(`User-agent: *\n${rules.join('\n')}\n`, 200, { 'Cache-Control': 'max-age=300, public' })
  },
})
