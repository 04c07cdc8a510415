import { c, query } from '../platform/database/index.ts'
import { empty, operation, param, type AnyOperation } from '../platform/http/index.ts'
import { LANGUAGES } from '../core/languages/index.ts'
import type { Services } from '../platform/services.ts'
import { translationLanguages } from '../statuses/translation/index.ts'
import { customStyle } from './custom_style.ts'
import { domainBlocks } from './domain_blocks.ts'
import { renderInstance, renderInstanceV1 } from './document.ts'
import { nodeinfo } from './nodeinfo.ts'
import { pictures } from './pictures.ts'
import { extendedDescription, privacyPolicy } from './long_texts.ts'
import { renderRules } from './rules/index.ts'
import { terms } from './terms/index.ts'
import { storedPartOfDomain } from '../core/parse_url.ts'

const listPeers = query('instance/peers', { prefix: c.text, limit: c.integer }, { domain: c.nullable(c.text) })
const countActivity = query(
  'instance/activity',
  {},
  { week: c.float, statuses: c.integer, logins: c.integer, registrations: c.integer },
)

const DEPRECATED = { Deprecation: '@1668384000' }

/** The common part of operations with instance-wide documents. */
const document = (path: string, returns: string, summary: string, render: (services: Services) => Promise<object>) =>
  operation({
    method: 'GET',
    path,
    auth: 'public',
    scopes: [],
    params: {},
    returns,
    summary,
    cache: 'instance',
    cacheTags: () => [],
    allowWhenClosed: 'unlessLimitedFederation',
    handle: (_, services) => render(services),
  })

const instance = operation({
  method: 'GET',
  path: '/api/v2/instance',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'Instance',
  summary: 'Describe the server and its limits',
  cache: 'instance',
  cacheTags: () => [],
  allowWhenClosed: 'always',
  handle: (_, services) => renderInstance(services),
})

const instanceV1 = operation({
  method: 'GET',
  path: '/api/v1/instance',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'V1_Instance',
  summary: 'Describe the server in the older form',
  cache: 'instance',
  cacheTags: () => [],
  allowWhenClosed: 'always',
  headers: DEPRECATED,
  handle: (_, services) => renderInstanceV1(services),
})

const isOff = (services: Services, setting: 'peers_api_enabled' | 'activity_api_enabled'): boolean =>
  !services.settings.get(setting) || services.settings.get('limited_federation_mode')

const MAX_PEERS = 1_000_000

const peers = operation({
  method: 'GET',
  path: '/api/v1/instance/peers',
  auth: 'public',
  scopes: [],
  params: {},
  returns: '[string]',
  summary: 'List the domains that this server knows',
  cache: 'instance',
  cacheTags: () => [],
  allowWhenClosed: 'unlessLimitedFederation',
  async handle(_, services) {
    if (isOff(services, 'peers_api_enabled')) return empty(404)
    const rows = await services.database.run(listPeers, { prefix: '', limit: MAX_PEERS })
    return rows.map(row => row.domain)
  },
})

/** As typed, so also `12` or `xn--m`, which are no domains yet. */
const PART_OF_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u

const searchPeers = operation({
  method: 'GET',
  path: '/api/v1/peers/search',
  auth: 'public',
  scopes: [],
  params: { q: param.string({ optional: true, trim: true }) },
  returns: '[string]',
  summary: 'Search known domains by their beginning',
  cache: 'instance',
  cacheTags: () => [],
  allowWhenClosed: 'unlessLimitedFederation',
  async handle({ q }, services) {
    if (isOff(services, 'peers_api_enabled')) return empty(404)
    const prefix = q === undefined || !PART_OF_DOMAIN.test(q) ? '' : storedPartOfDomain(q)
    if (prefix === '') return []
    const rows = await services.database.run(listPeers, { prefix, limit: 10 })
    return rows.map(row => row.domain)
  },
})

const activity = operation({
  method: 'GET',
  path: '/api/v1/instance/activity',
  auth: 'public',
  scopes: [],
  params: {},
  returns: '[hash]',
  summary: 'Show the posts, sign-ins and sign-ups of the last twelve weeks',
  cache: 'instance',
  cacheTags: () => [],
  allowWhenClosed: 'unlessLimitedFederation',
  async handle(_, services) {
    if (isOff(services, 'activity_api_enabled')) return empty(404)
    const weeks = await services.database.run(countActivity, {})
    return weeks.map(({ week, statuses, logins, registrations }) => ({
      week: String(week),
      statuses: String(statuses),
      logins: String(logins),
      registrations: String(registrations),
    }))
  },
})

export const operations: readonly AnyOperation[] = [
  instance,
  instanceV1,
  peers,
  searchPeers,
  activity,
  document('/api/v1/instance/rules', '[Rule]', 'List the rules of this server', renderRules),
  document('/api/v1/instance/languages', '[Language]', 'List the languages that posts can have', async () =>
    LANGUAGES.map(({ code, name }) => ({ code, name })),
  ),
  document(
    '/api/v1/instance/translation_languages',
    'hash',
    'List the language pairs between which posts are translated',
    async services => Object.fromEntries(await translationLanguages(services)),
  ),
  document(
    '/api/v1/instance/extended_description',
    'ExtendedDescription',
    'Show the extended description of this server',
    extendedDescription,
  ),
  document('/api/v1/instance/privacy_policy', 'PrivacyPolicy', 'Show the privacy policy', privacyPolicy),
  customStyle,
  ...domainBlocks,
  ...terms,
  ...nodeinfo,
  ...pictures,
]
