import { requireSignedIn, settingsPage } from '../account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation } from '../../platform/http/index.ts'
import { html, type Html } from '../../platform/ui/index.ts'
import { timeOf } from '../sessions/index.ts'
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

const path = '/settings/login_activities'

/** The times and addresses of the user's sign-ins. */
export const showActivities = operation({
  method: 'GET',
  path,
  summary: 'When and from where the person has signed in',
  auth: 'public',
  scopes: [],
  page: true,
  params: {},
  returns: 'text/html',
  handle(_, context) {
    return requireSignedIn(context, {}, async (visit, viewer) => {
      const { speaker } = visit
      const activities = await context.database.run(listActivities, { user: viewer.userId })
      const body = html`<p>${speaker.t(activities.length === 0 ? 'activities.none' : 'activities.intro')}</p>
        <ul class="entries">
          ${activities.map(activity => entry(activity, speaker))}
        </ul>`
      return settingsPage(context, visit, viewer, { title: speaker.t('activities.title'), body, place: path })
    })
  },
})

function entry({ method, success, ip, user_agent: userAgent, created_at }: Activity, speaker: Translator): Html {
  const what = success ? (method === 'otp' ? 'activities.otp' : 'activities.password') : 'activities.failed'
  return html`<li class="entry">
    <p><strong>${speaker.t(what)}</strong></p>
    <p class="quiet">${speaker.t('activities.when', { time: timeOf(created_at), address: ip })}</p>
    <p class="quiet">${nameBrowser(userAgent, speaker)}</p>
  </li>`
}
