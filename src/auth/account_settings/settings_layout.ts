import { hasPermission } from '../../core/permissions.ts'
import { staysOpen, type Context, type Response } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { asset, html, pageResponse, type Content, type Html } from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { NAVIGATION, type SettingsPath } from './navigation.ts'

const STYLE = '/assets/settings.css'

export const styleOperation = asset(
  STYLE,
  new URL('settings.css', import.meta.url),
  'text/css',
  'Style sheet of the settings pages',
)

export interface SettingsPage {
  title: string
  body: Content
  /** The navigation entry that is marked as current. */
  navigationPath: SettingsPath
  /** Shown at the top, as an alert. */
  alert?: string | undefined
  status?: number
  /** The paths of scripts that the page runs. */
  scripts?: readonly string[]
}

/** A settings page with its navigation. */
export function settingsPage(context: Context, webSession: WebSession, viewer: Viewer, page: SettingsPage): Response {
  return pageResponse(context, webSession, {
    title: page.title,
    head: html`<link rel="stylesheet" href="${STYLE}" />`,
    body: html`<h1>${page.title}</h1>
      ${page.body}`,
    navigation: navigation(context, webSession, viewer, page.navigationPath),
    ...(page.scripts && { scripts: page.scripts }),
    ...(page.status !== undefined && { status: page.status }),
    ...(page.alert !== undefined && { notice: { text: page.alert, kind: 'alert' } }),
  })
}

/** All pages that are open, by groups. Narrow screens show the pages of the current group only. */
function navigation(
  { settings, config }: Context,
  { translator }: WebSession,
  viewer: Viewer,
  current: SettingsPath,
): Html {
  const groups = NAVIGATION.map(({ label, items }) => {
    const permittedItems = items.filter(
      ({ path, permission, setting }) =>
        (config.selfDestruct === undefined || staysOpen({ method: 'GET', path })) &&
        (permission === undefined || (hasPermission(viewer, permission) && viewer.state === 'functional')) &&
        (setting === undefined || settings.get(setting) === true),
    )
    if (permittedItems.length === 0) return ''
    const isCurrent = permittedItems.some(({ path }) => path === current)
    const entries = permittedItems.map(
      ({ path, label: text }) =>
        html`<li>
          <a href="${path}" ${path === current && html` aria-current="page"`}>${translator.t(text)}</a>
        </li>`,
    )
    return html`<li class="group" ${isCurrent && html` data-current="true"`}>
      <a class="group-name" href="${permittedItems[0]?.path ?? current}">${translator.t(label)}</a>
      <ul>
        ${entries}
      </ul>
    </li>`
  })
  return html`<nav class="settings-nav" aria-label="${translator.t('nav.label')}">
    <ul>
      ${groups}
    </ul>
  </nav>`
}
