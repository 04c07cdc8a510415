import { INSTANCE_USERNAME } from '../../core/acct.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { Response, empty, operation, param, type Context } from '../../platform/http/index.ts'
import { parseResource } from './resource.ts'

const findAccount = query(
  'instance/well_known/account',
  { id: c.nullable(c.id), username: c.nullable(c.text) },
  {
    id: c.id,
    username: c.text,
    deleted: c.boolean,
    avatar: c.nullable(c.json<{ key: string; type: string }>()),
  },
)

type Found = Row<typeof findAccount.columns>

const KEPT = { 'Cache-Control': 'public, max-age=259200' }
const errorResponse = (status: 400 | 404 | 410): Response => empty(status, { 'Cache-Control': 'public, max-age=180' })

const link = (rel: string, more: Record<string, string>): object => ({ rel, ...more })

/** The links that are the same for every account: where a visitor can interact. */
const templates = (publicUrl: string): object[] => [
  link('http://ostatus.org/schema/1.0/subscribe', { template: `${publicUrl}/authorize_interaction?uri={uri}` }),
  link('https://w3id.org/fep/3b86/Create', { template: `${publicUrl}/share?text={content}` }),
  link('https://w3id.org/fep/3b86/Object', { template: `${publicUrl}/authorize_interaction?uri={object}` }),
]

function describe(name: string, profile: string, actor: string, aliases: string[], context: Context): object {
  const { publicUrl, localDomain } = context.config
  return {
    subject: `acct:${name}@${localDomain}`,
    aliases,
    links: [
      link('http://webfinger.net/rel/profile-page', { type: 'text/html', href: profile }),
      link('self', { type: 'application/activity+json', href: actor }),
      ...templates(publicUrl),
    ],
  }
}

/** The avatar is public only if profiles are. */
function avatarLink(avatar: Found['avatar'], { settings, storage }: Context): object[] {
  const closed = settings.get('limited_federation_mode') || settings.get('disallow_unauthenticated_api_access')
  if (!avatar || closed) return []
  return [link('http://webfinger.net/rel/avatar', { type: avatar.type, href: storage.url(avatar.key) })]
}

function describeAccount({ id, username, avatar }: Found, context: Context): object {
  const { publicUrl } = context.config
  const [profile, actor] = [`${publicUrl}/@${username}`, `${publicUrl}/ap/users/${id}`]
  const document = describe(username, profile, actor, [profile, actor], context)
  const links = 'links' in document && Array.isArray(document.links) ? document.links : []
  return { ...document, links: [...links, ...avatarLink(avatar, context)] }
}

function describeInstance(context: Context): object {
  const { publicUrl } = context.config
  const [about, actor] = [`${publicUrl}/about/more?instance_actor=true`, `${publicUrl}/actor`]
  return describe(INSTANCE_USERNAME, about, actor, [actor], context)
}

export const webfinger = operation({
  method: 'GET',
  path: '/.well-known/webfinger',
  auth: 'public',
  scopes: [],
  params: { resource: param.string({ optional: true }) },
  returns: 'WebFinger',
  summary: 'Look up an address of this server',
  cache: 'handler',
  async handle({ resource }, context) {
    const named = parseResource(resource ?? '', context.config)
    if (named === undefined) return errorResponse(400)
    if (named === 'nobody') return errorResponse(404)
    const asDocument = (document: object): Response =>
      new Response(200, 'application/jrd+json; charset=utf-8', JSON.stringify(document), KEPT)
    if (named === 'instance') return asDocument(describeInstance(context))
    const parameters = { id: null, username: null, ...named }
    const found = await context.database.one(findAccount, parameters)
    if (!found) return errorResponse(404)
    return found.deleted ? errorResponse(410) : asDocument(describeAccount(found, context))
  },
})
