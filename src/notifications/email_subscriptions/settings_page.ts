import { settingsPage, signedInForm, signedInPage } from '../../auth/account_settings/index.ts'
import { ApiError } from '../../core/errors.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { WebSession } from '../../auth/sessions/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import {
  actionButton,
  form,
  href,
  html,
  pageLinks,
  section,
  submit,
  table,
  time,
  toggle,
} from '../../platform/ui/index.ts'
import { countSubscribers, listSubscribers, removeOwnSubscriber } from './subscribers.ts'

const offering = query(
  'notifications/email_subscriptions/offering',
  { account: c.id },
  { email_subscriptions: c.boolean },
)
const setOffering = query(
  'notifications/email_subscriptions/set_offering',
  { account: c.id, offers: c.boolean },
  { id: c.id, events: c.events },
)

const PATH = '/settings/email_subscriptions'
const PAGE_SIZE = 40
const rules = {
  functional: true,
  unsuspended: true,
  /**
   * @throws ApiError routeNotFound where the server does not offer subscriptions; forbidden without
   * permission
   */
  before({ settings }: Context, viewer: Viewer): undefined {
    if (!settings.get('email_subscriptions')) throw new ApiError('routeNotFound')
    if (!hasPermission(viewer, 'manage_email_subscriptions')) throw new ApiError('forbidden')
  },
} as const

async function page(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  before: Id | undefined,
): Promise<Response> {
  const { database } = context
  const { translator } = webSession
  const { t } = translator
  const [offers, counts, rows] = await Promise.all([
    database.one(offering, { account: viewer.id }),
    countSubscribers(database, viewer.id),
    listSubscribers(database, viewer.id, { before, limit: PAGE_SIZE + 1 }),
  ])
  const shown = rows.slice(0, PAGE_SIZE)
  const body = [
    html`<p>${t('subscribers.intro')}</p>`,
    form({ action: PATH, method: 'put', csrfToken: webSession.csrfToken() }, [
      toggle({
        label: t('subscribers.offer'),
        name: 'offers',
        checked: offers?.email_subscriptions === true,
        hint: t('subscribers.offer_hint'),
      }),
      submit(t('subscribers.save')),
    ]),
    section('list', t('subscribers.list'), [
      html`<p>${t('subscribers.count', { count: counts.confirmed })}</p>`,
      counts.waiting > 0 && html`<p class="quiet">${t('subscribers.waiting', { count: counts.waiting })}</p>`,
      table({
        caption: t('subscribers.list'),
        columns: [
          { label: t('subscribers.email') },
          { label: t('subscribers.since') },
          { label: t('subscribers.actions'), kind: 'actions' },
        ],
        rows: shown.map(({ id, email, confirmed_at: since }) => [
          email,
          time(since, translator),
          actionButton({
            action: `${PATH}/${id}`,
            method: 'delete',
            csrfToken: webSession.csrfToken(),
            label: t('subscribers.remove'),
            kind: 'danger',
          }),
        ]),
        empty: t('subscribers.none'),
      }),
      pageLinks(translator, {
        newer: before === undefined ? undefined : PATH,
        older: rows.length > PAGE_SIZE ? href(PATH, { max_id: shown.at(-1)?.id }) : undefined,
      }),
    ]),
  ]
  return settingsPage(context, webSession, viewer, { title: t('subscribers.title'), body, navigationPath: PATH })
}

export const showSubscribers = signedInPage({
  path: PATH,
  summary: "List the e-mail subscribers to the user's posts",
  params: { max_id: param.cursor() },
  ...rules,
  show: ({ max_id: before }, context, webSession, viewer) => page(context, webSession, viewer, before),
})

export const changeOffering = signedInForm({
  method: ['PUT', 'PATCH'],
  path: PATH,
  summary: "Offer the user's posts by e-mail, or stop offering them",
  params: { offers: param.boolean({ default: false }) },
  ...rules,
  async act({ offers }, context, webSession, viewer) {
    await context.database.run(setOffering, { account: viewer.id, offers })
    webSession.flash(webSession.translator.t('subscribers.saved'))
    return webSession.respond(redirect(PATH))
  },
})

export const removeSubscriber = signedInForm({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: "Remove a subscriber to one's posts",
  params: { id: param.id() },
  ...rules,
  async act({ id }, context, webSession, viewer) {
    if (!(await removeOwnSubscriber(context.database, viewer.id, id))) throw new ApiError('routeNotFound')
    webSession.flash(webSession.translator.t('subscribers.removed'))
    return webSession.respond(redirect(PATH))
  },
})
