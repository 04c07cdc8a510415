import type { WebSession } from '../auth/sessions/index.ts'
import { hasPermission, type Permission } from '../core/permissions.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Context, Response } from '../platform/http/index.ts'
import { asset, html, pageResponse, type Content, type Html } from '../platform/ui/index.ts'
import { requirePermission } from './admin_operation.ts'
import { NAVIGATION, type NavigationItem } from './navigation.ts'

const STYLE_PATH = '/assets/staff.css'

export const styleOperation = asset(
  STYLE_PATH,
  new URL('staff.css', import.meta.url),
  'text/css',
  "Style sheet of the staff's pages",
)

export interface StaffPage {
  readonly title: string
  readonly body: Content
  /** The path of the navigation item that is marked as current. */
  readonly navigationPath: string
  /** Links to the pages above this one, the topmost first. */
  readonly breadcrumbs?: readonly (readonly [path: string, label: string])[]
  /** Links and buttons beside the title, such as "Add". */
  readonly actions?: Content
  /** Shown at the top, as an alert. */
  readonly alert?: string | undefined
  readonly status?: number
  /** Additional content of the head, such as a style sheet. */
  readonly head?: Content
  /** The origins of the files that the page shows, in addition to this server's own. */
  readonly fileOrigins?: readonly string[]
  /** The paths of this server's scripts that the page runs; it must be usable without them. */
  readonly scripts?: readonly string[]
}

/** A page of the staff's area, with the navigation that the viewer's role permits. */
export const staffPage = (context: Context, webSession: WebSession, viewer: Viewer, page: StaffPage): Response =>
  pageResponse(context, webSession, {
    title: page.title,
    column: true,
    head: html`${page.head}<link rel="stylesheet" href="${STYLE_PATH}" />`,
    navigation: navigation(webSession, viewer, page.navigationPath),
    body: html`<div class="staff">${header(page)} ${page.body}</div>`,
    ...(page.status !== undefined && { status: page.status }),
    ...(page.alert !== undefined && { notice: { text: page.alert, kind: 'alert' } }),
    ...(page.fileOrigins && { fileOrigins: page.fileOrigins }),
    ...(page.scripts && { scripts: page.scripts }),
  })

/** The requirements of a page of the staff's area: the role needs any one of the permissions. */
export const staffRules = (permissions: readonly Permission[]) => ({
  functional: true,
  unsuspended: true,
  /** @throws ApiError notAllowed */
  before(_: Context, viewer: Viewer): undefined {
    requirePermission(viewer, ...permissions)
  },
})

/** The pages of the navigation that the viewer may see, by groups. */
const permittedNavigation = (
  viewer: Viewer,
): { label: (typeof NAVIGATION)[number]['label']; items: NavigationItem[] }[] =>
  NAVIGATION.map(({ label, items }) => ({
    label,
    items: items.filter(({ permissions }) => permissions.some(name => hasPermission(viewer, name))),
  })).filter(({ items }) => items.length > 0)

/** The path of the dashboard, else of the first page that the viewer may see; undefined: none. */
export function firstPagePath(viewer: Viewer): string | undefined {
  const paths = permittedNavigation(viewer).flatMap(({ items }) => items.map(({ path }) => path))
  return paths.find(path => path === '/admin/dashboard') ?? paths[0]
}

function header({ title, breadcrumbs, actions }: StaffPage): Html {
  const links = breadcrumbs?.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)
  return html`<div class="staff-head">
    ${
      links &&
      html`<ol class="trail">
        ${links}
      </ol>`
    }
    <h1>${title}</h1>
    ${actions !== undefined && html`<div class="buttons">${actions}</div>`}
  </div>`
}

/**
 * The navigation: beside the page on wide screens; else a popover, which the browser opens and
 * closes without a script.
 */
function navigation({ translator }: WebSession, viewer: Viewer, current: string): Html {
  const groups = permittedNavigation(viewer).map(({ label, items }, number) => {
    const entries = items.map(
      item =>
        html`<li>
          <a href="${item.path}" ${item.path === current && html` aria-current="page"`}>${translator.t(item.label)}</a>
        </li>`,
    )
    return html`<p class="staff-group" id="staff-group-${number}">${translator.t(label)}</p>
      <ul aria-labelledby="staff-group-${number}">
        ${entries}
      </ul>`
  })
  return html`<button type="button" class="button plain staff-menu" popovertarget="staff-nav">
      ${translator.t('staff.nav.open')}
    </button>
    <nav class="staff-nav" id="staff-nav" popover aria-label="${translator.t('staff.nav.label')}">${groups}</nav>`
}
