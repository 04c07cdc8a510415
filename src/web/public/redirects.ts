import { readCollection } from '../../accounts/collections/index.ts'
import { accountFragments } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import { wantsDocument } from '../../federation/index.ts'
import { operation, param, redirect, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { html, type Page } from '../../platform/ui/index.ts'
import { findVisible, renderStatus } from '../../statuses/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { parseCollection, parseStatus } from './entities.ts'
import { findProfile } from './find_profile.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/** Redirects legacy and technical URLs to pages. */
const permanently = (path: string) => redirect(path, 301, { Vary: 'Origin, Accept' })

/** Redirects to pages. */
export const redirects = [
  operation({
    ...PUBLIC_PAGE,
    path: '/terms',
    summary: 'Redirect to the terms of service',
    params: {},
    handle: () => permanently('/terms-of-service'),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/users/:username',
    summary: 'Redirect to the page of a profile',
    params: { username: param.string() },
    handle: ({ username }) => permanently(`/@${encodeURIComponent(username)}`),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/users/:username/statuses/:id',
    summary: 'Redirect to the page of a status',
    params: { username: param.string(), id: param.id() },
    handle: ({ username, id }) => permanently(`/@${encodeURIComponent(username)}/${id}`),
  }),
  ...(['followers', 'following'] as const).map(list =>
    operation({
      ...PUBLIC_PAGE,
      path: `/users/:username/${list}`,
      summary: `Leads on to the page of a profile's ${list}`,
      params: { username: param.string() },
      handle: async ({ username }, context) =>
        wantsDocument(context.request)
          ? redirect(`/ap/users/${(await findProfile(context, `@${username}`)).id}/${list}`)
          : permanently(`/@${encodeURIComponent(username)}/${list}`),
    }),
  ),
  operation({
    ...PUBLIC_PAGE,
    path: '/about/more',
    summary: 'Redirect to the about page',
    params: {},
    handle: () => redirect('/about'),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/redirect/accounts/:id',
    summary: 'Redirect to the page of a remote profile',
    params: { id: param.id() },
    handle: ({ id }, context) =>
      showPublicly(context, 'profile', async visitor => leavingTo(context, visitor, await accountUrl(context, id))),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/redirect/statuses/:id',
    summary: 'Redirect to the page of a remote status',
    params: { id: param.id() },
    handle: ({ id }, context) =>
      showPublicly(context, 'profile', async visitor => leavingTo(context, visitor, await statusUrl(context, id))),
  }),
  operation({
    ...PUBLIC_PAGE,
    path: '/redirect/collections/:id',
    summary: 'Redirect to the page of a remote collection',
    params: { id: param.id() },
    handle: ({ id }, context) =>
      showPublicly(context, 'profile', async visitor => leavingTo(context, visitor, await collectionUrl(context, id))),
  }),
]

async function accountUrl(context: Context, id: Id): Promise<string> {
  const account = await accountFragments(context).one(id)
  if (!account || account.domain === null || account.suspended) throw new ApiError('routeNotFound')
  return account.url
}

async function statusUrl(context: Context, id: Id): Promise<string> {
  const status = (await findVisible(context, null, id)) && (await renderStatus(context, null, id))
  const { url, account } = status ? parseStatus(status) : {}
  if (url === undefined || url === null || !account?.acct.includes('@')) throw new ApiError('routeNotFound')
  return url
}

async function collectionUrl(context: Context, id: Id): Promise<string> {
  const { collection } = parseCollection(await readCollection(context, null, id))
  if (collection.local || collection.url === null) throw new ApiError('routeNotFound')
  return collection.url
}

function leavingTo({ settings }: Context, { translator: { t } }: Visitor, url: string): Page {
  if (!/^https?:\/\//i.test(url)) throw new ApiError('routeNotFound')
  const title = t('leave.title', { site: settings.get('site_title') })
  return {
    title,
    headers: { 'Cache-Control': 'private, no-store' },
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<h1>${title}</h1>
      <p>${t('leave.text')}</p>
      <p class="code">${url}</p>
      <p><a class="button primary" href="${url}" rel="noreferrer noopener">${t('leave.go')}</a></p>`,
  }
}
