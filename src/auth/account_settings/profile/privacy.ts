import { readCredentials, updateProfile } from '../../../accounts/index.ts'
import { param, redirect } from '../../../platform/http/index.ts'
import { form, html, submit, toggle } from '../../../platform/ui/index.ts'
import { signedInForm, signedInPage, settingsPage } from '../index.ts'

const path = '/settings/privacy'

const flag = param.boolean({ optional: true })

/** Shows whether others can find the account and its posts. */
export const showPrivacy = signedInPage({
  path,
  summary: 'Show the form for privacy and reach',
  params: {},
  functional: true,
  async show(_, context, webSession, viewer) {
    const { t } = webSession.translator
    const { preferences, ...stored } = await readCredentials(context, viewer)
    const noindex = preferences['noindex'] ?? context.settings.get('noindex')
    const box = (name: string, label: Parameters<typeof t>[0], checked: boolean, hint: string) =>
      toggle({ label: t(label), name, checked, hint })
    const body = form({ action: path, method: 'put', csrfToken: webSession.csrfToken() }, [
      html`<h2>${t('privacy.reach')}</h2>`,
      box(
        'account[discoverable]',
        'privacy.discoverable',
        stored.discoverable ?? false,
        t('privacy.discoverable_hint'),
      ),
      box('account[unlocked]', 'privacy.unlocked', !stored.locked, t('privacy.unlocked_hint')),
      html`<h2>${t('privacy.search')}</h2>`,
      box('account[indexable]', 'privacy.indexable', stored.indexable, t('privacy.indexable_hint')),
      box('user[index]', 'privacy.index', noindex !== true, t('privacy.index_hint')),
      html`<h2>${t('privacy.shown')}</h2>`,
      box(
        'account[show_collections]',
        'privacy.show_collections',
        stored.hide_collections !== true,
        t('privacy.show_collections_hint'),
      ),
      box(
        'user[show_application]',
        'privacy.show_application',
        preferences['show_application'] !== false,
        t('privacy.show_application_hint'),
      ),
      submit(t('account.save')),
    ])
    return settingsPage(context, webSession, viewer, { title: t('privacy.title'), body, navigationPath: path })
  },
})

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value)

export const changePrivacy = signedInForm({
  method: ['PUT', 'PATCH'],
  path,
  summary: 'Change privacy and reach',
  params: {
    account: param.object(
      { discoverable: flag, unlocked: flag, indexable: flag, show_collections: flag },
      { missing: 400 },
    ),
    user: param.object({ index: flag, show_application: flag }, { optional: true }),
  },
  functional: true,
  async act({ account, user }, context, webSession, viewer) {
    const { discoverable, indexable } = account
    await updateProfile(
      context,
      viewer,
      { discoverable, indexable, locked: not(account.unlocked), hide_collections: not(account.show_collections) },
      {
        ...(user?.index !== undefined && { noindex: !user.index }),
        ...(user?.show_application !== undefined && { show_application: user.show_application }),
      },
    )
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(path))
  },
})
