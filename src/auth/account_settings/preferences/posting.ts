import { defaultVisibility, preferencesOf, readCredentials, updateProfile } from '../../../accounts/index.ts'
import { languageLabels } from '../../../platform/i18n/index.ts'
import { param, redirect } from '../../../platform/http/index.ts'
import { form, html, select, submit, toggle } from '../../../platform/ui/index.ts'
import { signedInForm, signedInPage, settingsPage } from '../index.ts'

const path = '/settings/preferences/posting'

const VISIBILITIES = ['public', 'unlisted', 'private'] as const
const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const

const textIn = (preferences: Readonly<Record<string, unknown>>, name: string, otherwise: string): string => {
  const value = preferences[name]
  return typeof value === 'string' ? value : otherwise
}

export const showPosting = signedInPage({
  path,
  summary: 'Show the form for the defaults of new posts',
  params: {},
  functional: true,
  async show(_, context, webSession, viewer) {
    const { t, language } = webSession.translator
    const stored = await readCredentials(context, viewer)
    const { preferences } = stored
    const body = html`<p>${t('posting.intro')}</p>
      ${form({ action: path, method: 'put', csrfToken: webSession.csrfToken() }, [
        select({
          label: t('posting.visibility'),
          name: 'source[privacy]',
          choices: VISIBILITIES.map(one => [one, t(`posting.visibility.${one}`)]),
          value: defaultVisibility(stored),
        }),
        select({
          label: t('posting.quote_policy'),
          name: 'source[quote_policy]',
          choices: QUOTE_POLICIES.map(one => [one, t(`posting.quote_policy.${one}`)]),
          value: textIn(preferences, 'default_quote_policy', 'public'),
          hint: t('posting.quote_policy_hint'),
        }),
        select({
          label: t('posting.language'),
          name: 'source[language]',
          choices: [['', t('posting.language.same')], ...languageLabels(language)],
          value: textIn(preferences, 'default_language', ''),
        }),
        toggle({
          label: t('posting.sensitive'),
          name: 'source[sensitive]',
          checked: preferences['default_sensitive'] === true,
        }),
        submit(t('account.save')),
      ])}`
    return settingsPage(context, webSession, viewer, { title: t('posting.title'), body, navigationPath: path })
  },
})

/** Changes the same defaults as `source` of `PATCH /api/v1/accounts/update_credentials`. */
export const changePosting = signedInForm({
  method: ['PUT', 'PATCH'],
  path,
  summary: 'Change the defaults of new posts',
  params: {
    source: param.object(
      {
        privacy: param.enumeration(VISIBILITIES, { optional: true }),
        sensitive: param.boolean({ optional: true }),
        language: param.string({ optional: true }),
        quote_policy: param.enumeration(QUOTE_POLICIES, { optional: true }),
      },
      { missing: 400 },
    ),
  },
  functional: true,
  async act({ source }, context, webSession, viewer) {
    await updateProfile(context, viewer, {}, preferencesOf(source))
    webSession.flash(webSession.translator.t('preferences.saved'))
    return webSession.respond(redirect(path))
  },
})
