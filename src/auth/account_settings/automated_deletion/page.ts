import type { Viewer } from '../../../core/viewer.ts'
import { param, redirect, type Context, type Response } from '../../../platform/http/index.ts'
import { field, form, html, select, submit, toggle } from '../../../platform/ui/index.ts'
import { AGES_DAYS, findDeletionPolicy, setDeletionPolicy } from '../../../statuses/automated_deletion/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { signedInForm, signedInPage, settingsPage } from '../index.ts'

const PATH = '/statuses_cleanup'
const KEPT = [
  'keep_pinned',
  'keep_direct',
  'keep_polls',
  'keep_media',
  'keep_own_favourites',
  'keep_own_bookmarks',
] as const
const MINIMA = ['min_favourites', 'min_reblogs'] as const
const MAX_MINIMUM = 1_000_000_000

const flag = param.boolean({ optional: true })
const text = param.string({ optional: true })

const POLICY = {
  enabled: flag,
  min_age_days: text,
  keep_pinned: flag,
  keep_direct: flag,
  keep_polls: flag,
  keep_media: flag,
  keep_own_favourites: flag,
  keep_own_bookmarks: flag,
  min_favourites: text,
  min_reblogs: text,
} as const

export const showAutomatedDeletion = signedInPage({
  path: PATH,
  summary: 'Show the form for the automated deletion of old posts',
  params: {},
  functional: true,
  async show(_, context, webSession, viewer) {
    const policy = await findDeletionPolicy(context.database, viewer.id)
    const entered = {
      ...policy,
      min_age_days: String(policy.min_age_days),
      min_favourites: policy.min_favourites?.toString() ?? '',
      min_reblogs: policy.min_reblogs?.toString() ?? '',
    }
    return policyPage(context, webSession, viewer, entered, {})
  },
})

type Entered = Readonly<Record<(typeof KEPT)[number] | 'enabled', boolean>> &
  Readonly<Record<(typeof MINIMA)[number] | 'min_age_days', string>>

export const changeAutomatedDeletion = signedInForm({
  method: ['PUT', 'PATCH'],
  path: PATH,
  summary: 'Change the automated deletion of old posts',
  params: {
    policy: param.object(POLICY, { missing: 400 }),
  },
  functional: true,
  async act({ policy: input }, context, webSession, viewer) {
    const { t } = webSession.translator
    const before = await findDeletionPolicy(context.database, viewer.id)
    const errors: Record<string, string[]> = {}
    const minimum = (name: (typeof MINIMA)[number]): number | null => {
      const entered = input[name]
      if (entered === undefined) return before[name]
      if (entered.trim() === '') return null
      const number = Number(entered)
      if (Number.isInteger(number) && number > 0 && number <= MAX_MINIMUM) return number
      errors[name] = [t('cleanup.no_number')]
      return null
    }
    const age = input.min_age_days === undefined ? before.min_age_days : Number(input.min_age_days)
    if (age !== before.min_age_days && !AGES_DAYS.some(days => days === age))
      errors['min_age_days'] = [t('form_error.ERR_INCLUSION')]
    const flags = {
      enabled: input.enabled ?? before.enabled,
      keep_pinned: input.keep_pinned ?? before.keep_pinned,
      keep_direct: input.keep_direct ?? before.keep_direct,
      keep_polls: input.keep_polls ?? before.keep_polls,
      keep_media: input.keep_media ?? before.keep_media,
      keep_own_favourites: input.keep_own_favourites ?? before.keep_own_favourites,
      keep_own_bookmarks: input.keep_own_bookmarks ?? before.keep_own_bookmarks,
    }
    const minima = { min_favourites: minimum('min_favourites'), min_reblogs: minimum('min_reblogs') }
    if (Object.keys(errors).length > 0) {
      const { min_age_days = '', min_favourites = '', min_reblogs = '' } = input
      return policyPage(context, webSession, viewer, { ...flags, min_age_days, min_favourites, min_reblogs }, errors)
    }
    await setDeletionPolicy(context.database, viewer.id, { ...flags, ...minima, min_age_days: age })
    webSession.flash(t('preferences.saved'))
    return webSession.respond(redirect(PATH))
  },
})

function policyPage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  entered: Entered,
  errors: FieldErrors,
): Response {
  const { t } = webSession.translator
  const ages: string[] = AGES_DAYS.map(String)
  if (/^\d+$/.test(entered.min_age_days) && !ages.includes(entered.min_age_days)) ages.unshift(entered.min_age_days)
  const body = html`<p>${t('cleanup.intro')}</p>
    ${form({ action: PATH, method: 'put', csrfToken: webSession.csrfToken() }, [
      toggle({
        label: t('cleanup.enabled'),
        name: 'policy[enabled]',
        checked: entered.enabled,
        hint: t('cleanup.enabled_hint'),
      }),
      select({
        label: t('cleanup.age'),
        name: 'policy[min_age_days]',
        choices: ages.map(days => [days, t('cleanup.days', { count: days })]),
        value: entered.min_age_days,
        errors: errors['min_age_days'],
      }),
      html`<h2>${t('cleanup.exceptions')}</h2>`,
      ...KEPT.map(name => toggle({ label: t(`cleanup.${name}`), name: `policy[${name}]`, checked: entered[name] })),
      ...MINIMA.map(name =>
        field({
          label: t(`cleanup.${name}`),
          name: `policy[${name}]`,
          type: 'number',
          min: 1,
          max: MAX_MINIMUM,
          value: entered[name],
          hint: t('cleanup.minimum_hint'),
          errors: errors[name],
        }),
      ),
      submit(t('account.save')),
    ])}`
  const alert = Object.keys(errors).length > 0 ? t('settings.refused') : undefined
  return settingsPage(context, webSession, viewer, { title: t('cleanup.title'), body, navigationPath: PATH, alert })
}
