import { accountFragments, findByUrl, findRemoteUrl, isVisibleTo, resolveByHandle } from '../../accounts/index.ts'
import type { Config } from '../../core/config.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param, redirect, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { openWebSession, requiredStep } from '../../auth/sessions/index.ts'
import { findVisible, statusIdIn } from '../../statuses/index.ts'
import { parseUrl } from '../../core/parse_url.ts'

/**
 * The target of links on other servers for following or replying: redirects to the page of the
 * account or status.
 */
export const authorizeInteraction = operation({
  method: 'GET',
  path: ['/authorize_interaction', '/authorize_follow'],
  auth: 'public',
  scopes: [],
  page: true,
  summary: 'Redirect from another server to the page of an account or status',
  params: { uri: param.string({ default: '' }), acct: param.string({ default: '', description: 'older name of uri' }) },
  returns: 'redirect',
  async handle({ uri, acct }, context) {
    const webSession = await openWebSession(context)
    const { viewer } = webSession
    if (!viewer) {
      webSession.remember(`/authorize_interaction?${new URLSearchParams({ uri: uri || acct }).toString()}`)
      return webSession.respond(redirect('/auth/sign_in'))
    }
    return webSession.respond(redirect(requiredStep(viewer) ?? (await pathOf(context, viewer, (uri || acct).trim()))))
  },
})

/** The links `web+mastodon://follow?uri=…` and `web+mastodon://share?text=…` of other sites. */
export const followIntent = operation({
  method: 'GET',
  path: '/intent',
  auth: 'public',
  scopes: [],
  page: true,
  summary: 'Redirect from a web+mastodon link to its target',
  params: { uri: param.string({ default: '' }) },
  returns: 'redirect',
  async handle({ uri }) {
    const { protocol, host, searchParams } = parseUrl(uri) ?? {}
    if (protocol !== 'web+mastodon:') throw new ApiError('routeNotFound')
    if (host === 'follow') {
      const named = (searchParams?.get('uri') ?? '').replace(/^acct:/, '')
      return redirect(`/authorize_interaction?${new URLSearchParams({ uri: named }).toString()}`)
    }
    if (host !== 'share') throw new ApiError('routeNotFound')
    return redirect(`/share?${new URLSearchParams({ text: searchParams?.get('text') ?? '' }).toString()}`)
  },
})

function isRemoteUrl(named: string, { publicUrl }: Config): boolean {
  const url = /^https?:\/\//i.test(named) ? parseUrl(named) : undefined
  return url !== undefined && url.origin !== new URL(publicUrl).origin
}

/**
 * The page of the named account or status; an address on another server is looked up there.
 * @throws ApiError routeNotFound if the viewer cannot see the account or status
 */
async function pathOf(context: Context, viewer: Viewer, named: string): Promise<string> {
  const remote = isRemoteUrl(named, context.config) ? await findRemoteUrl(context, named) : undefined
  const status = remote?.kind === 'status' ? remote.id : statusIdIn(named, context.config.publicUrl)
  const found = status === undefined ? undefined : await findVisible(context, viewer, status)
  if (found) return `/@${await acctOf(context, found.account_id)}/${found.id}`
  const local = (await findByUrl(context, named)) ?? (await resolveByHandle(context, named.replace(/^acct:/, '')))
  const account = remote?.kind === 'account' ? remote.id : local
  return `/@${await acctOf(context, account)}`
}

/** The account's name as in paths. @throws ApiError routeNotFound if it is not shown */
export async function acctOf(context: Context, id: Id | undefined): Promise<string> {
  const account = id === undefined ? undefined : await accountFragments(context).one(id)
  if (!account || !isVisibleTo(account, null)) throw new ApiError('routeNotFound')
  return account.acct
}
