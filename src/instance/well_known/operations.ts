import { operation, redirect } from '../../platform/http/index.ts'
import { hostMetas } from './host_meta.ts'
import { webfinger } from './webfinger.ts'

/** Redirects browsers that open a web+ap URL with this server. */
const proxy = operation({
  method: 'GET',
  path: '/.well-known/proxy',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'redirect',
  statuses: [301],
  summary: 'Redirect a web+ap URL to its target',
  cache: 'handler',
  handle: (_, { request, config }) => redirect(`${config.publicUrl}/authorize_interaction?${request.query}`, 301),
})

export const operations = [webfinger, ...hostMetas, proxy]
