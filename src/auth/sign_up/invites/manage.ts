import { requireSignedIn } from '../../account_settings/index.ts'
import { hasPermission } from '../../../core/permissions.ts'
import { ApiError } from '../../../core/errors.ts'
import { operation, param, redirect, type Response, type Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { CSRF_PARAMETER } from '../../../platform/ui/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import { countCodePoints } from '../../../core/text/index.ts'
import { createInvite, expireInvite } from './invite.ts'
import { invitesPage, LIFETIMES, MAX_USES, PATH } from './page.ts'

const MAX_COMMENT_CHARACTERS = 420

/** @throws ApiError forbidden without the permission to invite */
const requireInviter = (
  context: Context,
  form: { readonly [CSRF_PARAMETER]?: string | undefined } | undefined,
  work: (webSession: WebSession, viewer: Viewer) => Promise<Response>,
): Promise<Response> =>
  requireSignedIn(context, { functional: true, ...(form && { form }) }, (webSession, viewer) => {
    if (!hasPermission(viewer, 'invite_users')) throw new ApiError('forbidden')
    return work(webSession, viewer)
  })

export const showInvites = operation({
  method: 'GET',
  path: PATH,
  summary: 'Create and list invites',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle: (_, context) =>
    requireInviter(context, undefined, (webSession, viewer) => invitesPage(context, webSession, viewer)),
})

const text = param.string({ default: '' })
const INVITE = {
  max_uses: text,
  expires_in: text,
  autofollow: param.boolean({ default: false }),
  comment: text,
} as const

/** The number that the form offers; null for anything else, such as an empty choice. */
const chosen = (value: string, offered: Iterable<number>): number | null =>
  [...offered].find(number => String(number) === value) ?? null

export const makeInvite = operation({
  method: 'POST',
  path: PATH,
  summary: 'Make an invite',
  auth: 'public',
  scopes: [],
  page: true,
  params: { [CSRF_PARAMETER]: param.string({ optional: true }), invite: param.object(INVITE, { missing: 400 }) },
  returns: 'redirect',
  handle({ invite, ...form }, context) {
    return requireInviter(context, form, async (webSession, viewer) => {
      const comment = invite.comment.trim()
      if (countCodePoints(comment) > MAX_COMMENT_CHARACTERS)
        return invitesPage(context, webSession, viewer, [webSession.translator.t('invites.too_long')])
      await createInvite(context.database, viewer.userId, {
        maxUses: chosen(invite.max_uses, MAX_USES),
        lifetimeSeconds: chosen(invite.expires_in, LIFETIMES.keys()),
        autofollow: invite.autofollow,
        comment: comment === '' ? null : comment,
      })
      webSession.flash(webSession.translator.t('invites.made'))
      return webSession.respond(redirect(PATH))
    })
  },
})

export const deactivateInvite = operation({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Deactivate an invite of the user',
  auth: 'public',
  scopes: [],
  page: true,
  params: { id: param.id(), [CSRF_PARAMETER]: param.string({ optional: true }) },
  returns: 'redirect',
  handle({ id, ...form }, context) {
    return requireInviter(context, form, async (webSession, viewer) => {
      if (!(await expireInvite(context.database, { invite: id, user: viewer.userId }))) throw new ApiError('notFound')
      webSession.flash(webSession.translator.t('invites.deactivated'))
      return webSession.respond(redirect(PATH))
    })
  },
})
