import { hasPermission } from '../../core/permissions.ts'
import type { Response, Context } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { html, pageAnswer, type Content, type Html } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'

const PLACES = [
  ['/auth/edit', 'nav.account'],
  ['/settings/preferences', 'nav.preferences'],
  ['/settings/preferences/notifications', 'nav.notification_mail'],
  ['/settings/two_factor_authentication_methods', 'nav.two_factor'],
  ['/settings/login_activities', 'nav.sessions'],
  ['/oauth/authorized_applications', 'nav.applications'],
  ['/invites', 'nav.invites'],
  ['/disputes/strikes', 'nav.strikes'],
  ['/settings/exports', 'nav.exports'],
  ['/settings/delete', 'nav.deletion'],
] as const satisfies readonly (readonly [string, TextKey])[]

export interface SettingsPage {
  title: string
  body: Content
  /** The navigation entry that is marked as current. */
  place: (typeof PLACES)[number][0]
  /** Shown at the top, as an alert. */
  alert?: string | undefined
  status?: number
}

/** A settings page with its navigation. */
export function settingsPage(context: Context, visit: WebSession, viewer: Viewer, page: SettingsPage): Response {
  return pageAnswer(context, visit, {
    title: page.title,
    body: html`<h1>${page.title}</h1>
      ${page.body}`,
    navigation: navigation(visit, viewer, page.place),
    ...(page.status !== undefined && { status: page.status }),
    ...(page.alert !== undefined && { notice: { text: page.alert, kind: 'alert' } }),
  })
}

function navigation({ speaker }: WebSession, viewer: Viewer, current: string): Html {
  const mayInvite = hasPermission(viewer, 'invite_users') && viewer.state === 'functional'
  const entries = PLACES.filter(([path]) => path !== '/invites' || mayInvite).map(([path, key]) => {
    const link =
      path === current
        ? html`<a href="${path}" aria-current="page">${speaker.t(key)}</a>`
        : html`<a href="${path}">${speaker.t(key)}</a>`
    return html`<li>${link}</li>`
  })
  return html`<nav class="tabs" aria-label="${speaker.t('nav.label')}">
    <ul>
      ${entries}
    </ul>
  </nav>`
}
