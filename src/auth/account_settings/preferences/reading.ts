import { LANGUAGES } from '../../../core/languages/index.ts'
import { c, query } from '../../../platform/database/index.ts'
import { languageLabels } from '../../../platform/i18n/index.ts'
import { param, redirect } from '../../../platform/http/index.ts'
import { choices, form, html, select, submit, toggle } from '../../../platform/ui/index.ts'
import { signedInForm, signedInPage, settingsPage } from '../index.ts'

const setReading = query(
  'auth/account_settings/preferences/set_reading',
  {
    user: c.id,
    preferences: c.json<Record<string, unknown>>(),
    sets_languages: c.boolean,
    chosen_languages: c.nullable(c.texts),
  },
  { events: c.events },
)

const path = '/settings/preferences/reading'

const MEDIA = ['default', 'show_all', 'hide_all'] as const
const FLAGS = ['expand_spoilers', 'auto_play_gif'] as const
const CODES = LANGUAGES.map(({ code }) => code)

/** Shows the preferences that applications read, and the languages of timelines. */
export const showReading = signedInPage({
  path,
  summary: 'Show the form for reading preferences and the languages of public timelines',
  params: {},
  functional: true,
  show(_, context, webSession, viewer) {
    const { t, language } = webSession.translator
    const { preferences, chosenLanguages } = viewer
    const chosen = new Set(chosenLanguages)
    // The chosen ones come first, so that they are easy to find.
    const sorted = languageLabels(language).toSorted(
      ([one], [other]) => Number(chosen.has(other)) - Number(chosen.has(one)),
    )
    const body = form({ action: path, method: 'put', csrfToken: webSession.csrfToken() }, [
      html`<h2>${t('reading.timelines')}</h2>`,
      toggle({
        label: t('reading.aggregate_reblogs'),
        name: 'user[aggregate_reblogs]',
        checked: preferences['aggregate_reblogs'] !== false,
        hint: t('reading.aggregate_reblogs_hint'),
      }),
      choices({
        legend: t('reading.languages'),
        name: 'user[chosen_languages]',
        choices: sorted,
        chosen,
        hint: t('reading.languages_hint'),
        long: true,
      }),
      html`<h2>${t('reading.posts')}</h2>`,
      select({
        label: t('reading.media'),
        name: 'user[display_media]',
        choices: MEDIA.map(one => [one, t(`reading.media.${one}`)]),
        value: MEDIA.find(one => one === preferences['display_media']) ?? 'default',
      }),
      ...FLAGS.map(name =>
        toggle({ label: t(`reading.${name}`), name: `user[${name}]`, checked: preferences[name] === true }),
      ),
      html`<p class="hint">${t('reading.applications')}</p>`,
      submit(t('account.save')),
    ])
    return settingsPage(context, webSession, viewer, { title: t('reading.title'), body, navigationPath: path })
  },
})

const flag = param.boolean({ optional: true })

/** Only the values sent are changed; no languages means all. */
export const changeReading = signedInForm({
  method: ['PUT', 'PATCH'],
  path,
  summary: 'Change reading preferences and the languages of public timelines',
  params: {
    user: param.object(
      {
        aggregate_reblogs: flag,
        expand_spoilers: flag,
        auto_play_gif: flag,
        display_media: param.enumeration(MEDIA, { optional: true }),
        chosen_languages: param.strings({ optional: true, enum: CODES, unknown: 'drop' }),
      },
      { missing: 400 },
    ),
  },
  functional: true,
  async act({ user: { chosen_languages: languages, ...values } }, context, webSession, viewer) {
    const preferences = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    await context.database.run(setReading, {
      user: viewer.userId,
      preferences,
      sets_languages: languages !== undefined,
      chosen_languages: languages && languages.length > 0 ? [...new Set(languages)] : null,
    })
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(path))
  },
})
