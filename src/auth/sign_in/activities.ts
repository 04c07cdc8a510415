import { signedInPage, settingsPage } from '../account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { html, timeText, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { nameBrowser } from './browsers.ts'

const listActivities = query(
  'auth/sign_in/activities',
  { user: c.id },
  { method: c.text, success: c.boolean, ip: c.text, user_agent: c.text, created_at: c.timestamp },
)

interface Activity {
  readonly method: string
  readonly success: boolean
  readonly ip: string
  readonly user_agent: string
  readonly created_at: Date
}

const METHODS = ['password', 'otp', 'webauthn'] as const

const path = '/settings/login_activities'

/** The times and addresses of the user's sign-ins. */
export const showActivities = signedInPage({
  path,
  summary: "List the user's sign-ins",
  params: {},
  async show(_, context, webSession, viewer) {
    const { translator } = webSession
    const activities = await context.database.run(listActivities, { user: viewer.userId })
    const body = html`<p>${translator.t(activities.length === 0 ? 'activities.none' : 'activities.intro')}</p>
      <ul class="entries">
        ${activities.map(activity => entry(activity, translator))}
      </ul>`
    return settingsPage(context, webSession, viewer, {
      title: translator.t('activities.title'),
      body,
      navigationPath: path,
    })
  },
})

function entry({ method, success, ip, user_agent: userAgent, created_at }: Activity, translator: Translator): Html {
  const how = METHODS.find(known => known === method) ?? 'password'
  const what = success ? (`activities.${how}` as const) : 'activities.failed'
  return html`<li class="entry">
    <p><strong>${translator.t(what)}</strong></p>
    <p class="quiet">${translator.t('activities.when', { time: timeText(created_at, translator), address: ip })}</p>
    <p class="quiet">${nameBrowser(userAgent, translator)}</p>
  </li>`
}
