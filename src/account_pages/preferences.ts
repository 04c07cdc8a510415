import { c, query } from '../database/index.ts'
import { operation, param, redirect } from '../http/index.ts'
import { CSRF_PARAMETER, form, html, select, submit } from '../pages/index.ts'
import { chooseLanguage, TEXT_LANGUAGES } from '../texts/index.ts'
import { settingsPage } from './frame.ts'
import { asOwner } from './owner.ts'

const setLocale = query('account_pages/set_locale', { user: c.id, locale: c.text }, { events: c.events })

const path = '/settings/preferences'

/** In which language the pages and letters are. */
export const showPreferences = operation({
  method: 'GET',
  path,
  summary: 'Language of pages and letters',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return asOwner(context, {}, (visit, viewer) => {
      const { say, language } = visit.speaker
      const body = html`<p>${say('preferences.intro')}</p>
        ${form({ action: path, method: 'put', csrfToken: visit.csrfToken() }, [
          select({
            label: say('preferences.locale'),
            name: 'user[locale]',
            choices: Object.entries(TEXT_LANGUAGES),
            value: language,
          }),
          submit(say('account.save')),
        ])}`
      return settingsPage(context, visit, viewer, { title: say('preferences.title'), body, place: path })
    })
  },
})

export const changePreferences = operation({
  method: ['PUT', 'PATCH'],
  path,
  summary: 'Change the language of pages and letters',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object({ locale: param.string({ missing: 400 }) }, { missing: 400 }),
  },
  returns: 'redirect',
  handle({ user, ...form }, context) {
    return asOwner(context, { form }, async (visit, viewer) => {
      await context.database.run(setLocale, { user: viewer.userId, locale: chooseLanguage(user.locale) })
      visit.tell(visit.speaker.say('preferences.saved'))
      return visit.answer(redirect(path))
    })
  },
})
