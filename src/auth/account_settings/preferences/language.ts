import { c, query } from '../../../platform/database/index.ts'
import { param, redirect } from '../../../platform/http/index.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { form, html, select, submit } from '../../../platform/ui/index.ts'
import { languageLabels, TEXT_LANGUAGES, type TextLanguage } from '../../../platform/i18n/index.ts'
import { timeZones } from '../../../core/zoned_time.ts'
import { signedInForm, signedInPage, settingsPage } from '../index.ts'

const setLanguage = query(
  'auth/account_settings/preferences/set_language',
  { user: c.id, locale: c.nullable(c.text), sets_time_zone: c.boolean, time_zone: c.nullable(c.text) },
  { events: c.events },
)

const path = '/settings/preferences'

/** The languages to choose from, including the stored one, for which there may be no texts. */
function languagesFor({ locale }: Viewer, reader: TextLanguage): readonly (readonly [code: string, name: string])[] {
  const known = Object.entries(TEXT_LANGUAGES)
  if (locale === null || Object.hasOwn(TEXT_LANGUAGES, locale)) return known
  const [, name = locale] = languageLabels(reader).find(([code]) => code === locale) ?? []
  return [[locale, name], ...known]
}

/** The time zones to choose from, including the stored one, which may have an outdated name. */
const zonesFor = ({ timeZone }: Viewer): readonly string[] => {
  const known = timeZones()
  return timeZone === null || known.includes(timeZone) ? known : [timeZone, ...known]
}

/** Shows the language of pages and e-mails, and the time zone. */
export const showLanguage = signedInPage({
  path,
  summary: 'Show the form for the language of pages and e-mails, and the time zone',
  params: {},
  show(_, context, webSession, viewer) {
    const { t, language } = webSession.translator
    const body = html`<p>${t('preferences.intro')}</p>
      ${form({ action: path, method: 'put', csrfToken: webSession.csrfToken() }, [
        select({
          label: t('preferences.locale'),
          name: 'user[locale]',
          choices: languagesFor(viewer, language),
          value: viewer.locale ?? language,
        }),
        select({
          label: t('preferences.time_zone'),
          name: 'user[time_zone]',
          choices: [['', t('preferences.no_time_zone')], ...zonesFor(viewer).map(zone => [zone, zone] as const)],
          value: viewer.timeZone ?? '',
        }),
        submit(t('account.save')),
      ])}`
    return settingsPage(context, webSession, viewer, { title: t('preferences.title'), body, navigationPath: path })
  },
})

export const changeLanguage = signedInForm({
  method: ['PUT', 'PATCH'],
  path,
  summary: 'Change the language of pages and e-mails, and the time zone',
  params: {
    user: param.object(
      { locale: param.string({ missing: 400 }), time_zone: param.string({ optional: true }) },
      { missing: 400 },
    ),
  },
  async act({ user }, context, webSession, viewer) {
    const languages = languagesFor(viewer, webSession.translator.language)
    await context.database.run(setLanguage, {
      user: viewer.userId,
      locale: languages.find(([code]) => code === user.locale)?.[0] ?? null,
      sets_time_zone: user.time_zone !== undefined,
      time_zone: zonesFor(viewer).find(zone => zone === user.time_zone) ?? null,
    })
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(path))
  },
})
