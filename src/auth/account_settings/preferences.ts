import { c, query } from '../../platform/database/index.ts'
import { operation, param, redirect } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { CSRF_PARAMETER, form, html, select, submit } from '../../platform/ui/index.ts'
import { chooseLanguage, TEXT_LANGUAGES } from '../../platform/i18n/index.ts'
import { settingsPage } from './settings_layout.ts'
import { requireSignedIn } from './require_signed_in.ts'
import { timeZones } from './time_zones.ts'

const setPreferences = query(
  'auth/account_settings/set_preferences',
  { user: c.id, locale: c.text, sets_time_zone: c.boolean, time_zone: c.nullable(c.text) },
  { events: c.events },
)

const path = '/settings/preferences'

/** The time zones to choose from, including the stored one, which may have an outdated name. */
const zonesFor = ({ timeZone }: Viewer): readonly string[] => {
  const known = timeZones()
  return timeZone === null || known.includes(timeZone) ? known : [timeZone, ...known]
}

/** Shows the language of pages and e-mails, and the time zone. */
export const showPreferences = operation({
  method: 'GET',
  path,
  summary: 'Form for the language of pages and e-mails, and the time zone',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return requireSignedIn(context, {}, (visit, viewer) => {
      const { t: say, language } = visit.speaker
      const body = html`<p>${say('preferences.intro')}</p>
        ${form({ action: path, method: 'put', csrfToken: visit.csrfToken() }, [
          select({
            label: say('preferences.locale'),
            name: 'user[locale]',
            choices: Object.entries(TEXT_LANGUAGES),
            value: language,
          }),
          select({
            label: say('preferences.time_zone'),
            name: 'user[time_zone]',
            choices: [['', say('preferences.no_time_zone')], ...zonesFor(viewer).map(zone => [zone, zone] as const)],
            value: viewer.timeZone ?? '',
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
  summary: 'Change the language of pages and e-mails, and the time zone',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    user: param.object(
      { locale: param.string({ missing: 400 }), time_zone: param.string({ optional: true }) },
      { missing: 400 },
    ),
  },
  returns: 'redirect',
  handle({ user, ...form }, context) {
    return requireSignedIn(context, { form }, async (visit, viewer) => {
      await context.database.run(setPreferences, {
        user: viewer.userId,
        locale: chooseLanguage(user.locale),
        sets_time_zone: user.time_zone !== undefined,
        time_zone: zonesFor(viewer).find(zone => zone === user.time_zone) ?? null,
      })
      visit.flash(visit.speaker.t('preferences.saved'))
      return visit.answer(redirect(path))
    })
  },
})
