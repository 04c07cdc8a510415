import { ApiError } from '../../../core/errors.ts'
import { readCredentials, updateProfile } from '../../../accounts/index.ts'
import { param, redirect } from '../../../platform/http/index.ts'
import { refusalOf, signedInForm, signedInPage } from '../index.ts'
import { PATH, profilePage } from './profile_page.ts'

/** Two pictures of 8 MiB, and texts. */
const BODY_LIMIT_BYTES = 17 * 1024 * 1024

const text = param.string({ optional: true })
const flag = param.boolean({ optional: true })
const picture = param.upload({ optional: true })

export const showProfile = signedInPage({
  path: PATH,
  summary: 'Show the form for the profile',
  params: {},
  functional: true,
  show: async (_, context, webSession, viewer) =>
    profilePage(context, webSession, viewer, await readCredentials(context, viewer)),
})

/** Changes the same parts of a profile as `PATCH /api/v1/accounts/update_credentials`. */
export const changeProfile = signedInForm({
  method: 'POST',
  path: PATH,
  summary: 'Change the profile',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  params: {
    account: param.object(
      {
        display_name: text,
        note: text,
        avatar: picture,
        avatar_description: text,
        header: picture,
        header_description: text,
        bot: flag,
        show_media: flag,
        show_media_replies: flag,
        show_featured: flag,
        fields_attributes: param.objects({ name: text, value: text }, { optional: true }),
        attribution_domains: param.string({ optional: true, description: 'one a line' }),
      },
      { missing: 400 },
    ),
  },
  functional: true,
  async act({ account }, context, webSession, viewer) {
    const change = {
      ...account,
      attribution_domains: account.attribution_domains?.split(/\s+/),
    }
    const refusal = await refusalOf(webSession, () => updateProfile(context, viewer, change))
    if (refusal)
      return profilePage(context, webSession, viewer, await readCredentials(context, viewer), account, refusal)
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(PATH))
  },
})

/** Removes the avatar or the header. */
export const removePicture = signedInForm({
  method: 'DELETE',
  path: `${PATH}/pictures/:kind`,
  summary: 'Remove a picture of the profile',
  params: {
    kind: param.string({ missing: 404 }),
  },
  functional: true,
  async act({ kind }, context, webSession, viewer) {
    if (kind === 'avatar') await updateProfile(context, viewer, { avatar: null })
    else if (kind === 'header') await updateProfile(context, viewer, { header: null })
    else throw new ApiError('routeNotFound')
    webSession.flash(webSession.translator.t('profile_settings.picture_removed'))
    return webSession.respond(redirect(PATH))
  },
})
