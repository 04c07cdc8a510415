import { isLocalPath } from '../../auth/sessions/index.ts'
import { ApiError } from '../../core/errors.ts'
import { parseId, type Id } from '../../core/id.ts'
import { operation, param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import { findVisible } from '../../statuses/index.ts'
import { PUBLIC_PAGE } from './declaration.ts'
import { acctOf } from './interaction.ts'
import { showPublicly, type Visitor } from './public_page.ts'

/**
 * Addresses of Mastodon's web client, which tools build from the ids of posts and accounts. A web
 * client on this server has pages of its own there.
 */
export const permalinks = [
  operation({
    ...PUBLIC_PAGE,
    returns: 'redirect',
    path: '/statuses/:id',
    summary: 'Redirect to the page of a status',
    params: { id: param.string() },
    handle: ({ id }, context) =>
      lead(context, 'status', id, async ({ viewer }, status) => {
        const found = await findVisible(context, viewer, status)
        return `/@${await acctOf(context, found?.account_id)}/${status}`
      }),
  }),
  operation({
    ...PUBLIC_PAGE,
    returns: 'redirect',
    path: '/accounts/:id',
    summary: 'Redirect to the page of a profile',
    params: { id: param.string() },
    handle: ({ id }, context) =>
      lead(context, 'profile', id, async (_, account) => `/@${await acctOf(context, account)}`),
  }),
  operation({
    ...PUBLIC_PAGE,
    returns: 'redirect',
    path: ['/web', '/web/*'],
    summary: 'Redirect from an address of the former web client',
    params: {},
    handle: (_, { request: { path, query } }) => {
      const rest = path.slice('/web'.length) || '/'
      const target = query === '' ? rest : `${rest}?${query}`
      if (!isLocalPath(target)) throw new ApiError('routeNotFound')
      return redirect(target)
    },
  }),
]

function lead(
  context: Context,
  about: 'status' | 'profile',
  text: string,
  pathOf: (visitor: Visitor, id: Id) => Promise<string>,
): Promise<Response> {
  const id = context.config.webClient === undefined ? parseId(text) : undefined
  if (id === undefined) throw new ApiError('routeNotFound')
  return showPublicly(context, about, async visitor => redirect(await pathOf(visitor, id)))
}
