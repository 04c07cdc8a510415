import { signedInForm, signedInPage, settingsPage } from '../../auth/account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { param, redirect } from '../../platform/http/index.ts'
import { checkbox, form, html, submit } from '../../platform/ui/index.ts'
import { PREFERENCES_PATH } from './preferences_path.ts'
import { isMailType, MAIL_TYPES } from './type.ts'

const findPreferences = query(
  'notifications/email/preferences',
  { user: c.id },
  { mail_types: c.texts, mail_always: c.boolean },
)
const setPreferences = query(
  'notifications/email/set_preferences',
  { user: c.id, types: c.texts, always: c.boolean },
  {},
)

const nameOf = (type: string): string => `user[mail][${type}]`

/** Shows which notifications are sent by e-mail. */
export const showEmailPreferences = signedInPage({
  path: PREFERENCES_PATH,
  summary: 'Show the form for e-mails about notifications',
  params: {},
  async show(_, context, webSession, viewer) {
    const { t } = webSession.translator
    const preferences = await context.database.one(findPreferences, { user: viewer.userId })
    const boxes = MAIL_TYPES.map(type =>
      checkbox({
        label: t(`notification_mail.${type}`),
        name: nameOf(type),
        required: false,
        checked: preferences?.mail_types.includes(type) ?? false,
      }),
    )
    const body = html`<p>${t('notification_mail.intro')}</p>
      ${form({ action: PREFERENCES_PATH, method: 'put', csrfToken: webSession.csrfToken() }, [
        ...boxes,
        checkbox({
          label: t('notification_mail.always'),
          name: nameOf('always'),
          required: false,
          checked: preferences?.mail_always ?? false,
        }),
        submit(t('account.save')),
      ])}`
    const title = t('notification_mail.title')
    return settingsPage(context, webSession, viewer, { title, body, navigationPath: PREFERENCES_PATH })
  },
})

const box = param.boolean({ default: false })

export const changeEmailPreferences = signedInForm({
  method: ['PUT', 'PATCH'],
  path: PREFERENCES_PATH,
  summary: 'Change which notifications are sent by e-mail',
  params: {
    user: param.object(
      {
        mail: param.object(Object.fromEntries([...MAIL_TYPES, 'always'].map(name => [name, box])), { optional: true }),
      },
      { optional: true },
    ),
  },
  async act({ user }, context, webSession, viewer) {
    // Browsers do not send unchecked boxes.
    const selected = new Set(Object.entries(user?.mail ?? {}).flatMap(([name, isWanted]) => (isWanted ? name : [])))
    const types = [...selected].filter(isMailType)
    await context.database.run(setPreferences, { user: viewer.userId, types, always: selected.has('always') })
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(PREFERENCES_PATH))
  },
})
