import { requireSignedIn, settingsPage } from '../../auth/account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect } from '../../platform/http/index.ts'
import { checkbox, CSRF_PARAMETER, form, html, submit } from '../../platform/ui/index.ts'
import { PREFERENCES_PATH } from './preferences_path.ts'
import { isMailType, MAIL_TYPES } from './type.ts'

const findWishes = query('notifications/email/wishes', { user: c.id }, { mail_types: c.texts, mail_always: c.boolean })
const setWishes = query('notifications/email/set_wishes', { user: c.id, types: c.texts, always: c.boolean }, {})

const nameOf = (type: string): string => `user[mail][${type}]`

/** Shows which notifications are sent by e-mail. */
export const showEmailPreferences = operation({
  method: 'GET',
  path: PREFERENCES_PATH,
  summary: 'E-mails about notifications',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return requireSignedIn(context, {}, async (visit, viewer) => {
      const { t: say } = visit.speaker
      const wishes = await context.database.one(findWishes, { user: viewer.userId })
      const boxes = MAIL_TYPES.map(type =>
        checkbox({
          label: say(`notification_mail.${type}`),
          name: nameOf(type),
          required: false,
          checked: wishes?.mail_types.includes(type) ?? false,
        }),
      )
      const body = html`<p>${say('notification_mail.intro')}</p>
        ${form({ action: PREFERENCES_PATH, method: 'put', csrfToken: visit.csrfToken() }, [
          ...boxes,
          checkbox({
            label: say('notification_mail.always'),
            name: nameOf('always'),
            required: false,
            checked: wishes?.mail_always ?? false,
          }),
          submit(say('account.save')),
        ])}`
      const title = say('notification_mail.title')
      return settingsPage(context, visit, viewer, { title, body, place: PREFERENCES_PATH })
    })
  },
})

const box = param.boolean({ default: false })

export const changeEmailPreferences = operation({
  method: ['PUT', 'PATCH'],
  path: PREFERENCES_PATH,
  summary: 'Choose which notifications are sent by e-mail',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object(
      {
        mail: param.object(Object.fromEntries([...MAIL_TYPES, 'always'].map(name => [name, box])), { optional: true }),
      },
      { optional: true },
    ),
  },
  returns: 'redirect',
  handle({ user, ...form }, context) {
    return requireSignedIn(context, { form }, async (visit, viewer) => {
      // Browsers do not send unchecked boxes.
      const wanted = new Set(Object.entries(user?.mail ?? {}).flatMap(([name, isWanted]) => (isWanted ? name : [])))
      const types = [...wanted].filter(isMailType)
      await context.database.run(setWishes, { user: viewer.userId, types, always: wanted.has('always') })
      visit.flash(visit.speaker.t('preferences.saved'))
      return visit.answer(redirect(PREFERENCES_PATH))
    })
  },
})
