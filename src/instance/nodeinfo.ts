import { json, operation, type AnyOperation } from '../platform/http/index.ts'
import { registrationsMode } from '../platform/settings/index.ts'
import { statistics } from './statistics.ts'
import { MILLRACE_VERSION, VERSION } from './version.ts'

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
const CACHE = { 'Cache-Control': 'max-age=259200, public' }

/**
 * Clients of several APIs choose by the name of the software and refuse unknown ones, unless
 * `upstream` (megalodon, hence Whalebird) or `features` (Pleroma's list) names an API that they
 * speak.
 */
const CLIENT_API = { upstream: { name: 'mastodon' }, features: ['mastodon_api', 'mastodon_api_streaming'] }

const discovery = operation({
  method: 'GET',
  path: '/.well-known/nodeinfo',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'hash',
  summary: 'Show where the description of this server is',
  cache: 'handler',
  handle: (_, { config }) => json({ links: [{ rel: SCHEMA, href: `${config.publicUrl}/nodeinfo/2.0` }] }, 200, CACHE),
})

/** https://nodeinfo.diaspora.software/protocol */
const document = operation({
  method: 'GET',
  path: '/nodeinfo/2.0',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'NodeInfo',
  summary: 'Show server metadata for other servers and statistics sites',
  cache: 'handler',
  async handle(_, services) {
    const { settings, config } = services
    const figures = await statistics(services)()
    const nodeinfo = {
      version: '2.0',
      software: config.nodeinfoAsMastodon
        ? { name: 'mastodon', version: VERSION }
        : { name: 'millrace', version: MILLRACE_VERSION },
      protocols: ['activitypub'],
      services: { outbound: [], inbound: [] },
      usage: {
        users: {
          total: figures.user_count,
          activeMonth: figures.active_month,
          activeHalfyear: figures.active_half_year,
        },
        localPosts: figures.status_count,
      },
      openRegistrations: registrationsMode(services) !== 'none',
      metadata: {
        nodeName: settings.get('site_title'),
        nodeDescription: settings.get('site_short_description'),
        ...CLIENT_API,
      },
    }
    return json(nodeinfo, 200, { 'Cache-Control': 'max-age=1800, public' })
  },
})

export const nodeinfo: readonly AnyOperation[] = [discovery, document]
