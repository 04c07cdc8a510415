import { signedInForm, signedInPage } from '../../account_settings/index.ts'
import { hasPermission } from '../../../core/permissions.ts'
import { ApiError } from '../../../core/errors.ts'
import { param, redirect, type Context } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { countCodePoints } from '../../../core/text/index.ts'
import { createInvite, expireInvite } from './invite.ts'
import { invitesPage, LIFETIMES, MAX_COMMENT_CHARACTERS, MAX_USES, PATH } from './page.ts'

const rules = {
  functional: true,
  before(_: Context, viewer: Viewer): undefined {
    if (!hasPermission(viewer, 'invite_users')) throw new ApiError('forbidden')
  },
} as const

export const showInvites = signedInPage({
  path: PATH,
  summary: 'Create and list invites',
  params: { max_id: param.cursor() },
  ...rules,
  show: ({ max_id: before }, context, webSession, viewer) => invitesPage(context, webSession, viewer, { before }),
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

export const makeInvite = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Make an invite',
  params: { invite: param.object(INVITE, { missing: 400 }) },
  ...rules,
  async act({ invite }, context, webSession, viewer) {
    const comment = invite.comment.trim()
    if (countCodePoints(comment) > MAX_COMMENT_CHARACTERS) {
      const errors = [webSession.translator.t('invites.too_long')]
      return invitesPage(context, webSession, viewer, { refused: { input: invite, errors } })
    }
    await createInvite(context.database, viewer.userId, {
      maxUses: chosen(invite.max_uses, MAX_USES),
      lifetimeSeconds: chosen(invite.expires_in, LIFETIMES.keys()),
      autofollow: invite.autofollow,
      comment: comment === '' ? null : comment,
    })
    webSession.flash(webSession.translator.t('invites.made'))
    return webSession.respond(redirect(PATH))
  },
})

export const deactivateInvite = signedInForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Deactivate an invite of the user',
  params: { id: param.id() },
  ...rules,
  async act({ id }, context, webSession, viewer) {
    if (!(await expireInvite(context.database, { invite: id, user: viewer.userId }))) throw new ApiError('notFound')
    webSession.flash(webSession.translator.t('invites.deactivated'))
    return webSession.respond(redirect(PATH))
  },
})
