import { listHostStates, purgeHost, retryHost, type HostState } from '../../federation/index.ts'
import { param } from '../../platform/http/index.ts'
import { form, hidden, href, html, pageLinks, submit, table, time, type Content } from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'

const PATH = '/admin/deliveries'
const PAGE_SIZE = 40
const permissions = ['manage_federation'] as const

function stateCell({ t, translator }: Staff, { unavailable_since, paused_until }: HostState): Content {
  if (unavailable_since) return html`${t('deliveries.unavailable')} ${time(unavailable_since, translator)}`
  return t(paused_until && paused_until.getTime() > Date.now() ? 'deliveries.paused' : 'deliveries.failing')
}

function actionButtons({ t, webSession }: Staff, { host, waiting }: HostState): Content {
  const csrfToken = webSession.csrfToken()
  return [
    form({ action: `${PATH}/retry`, csrfToken }, [hidden('host', host), submit(t('deliveries.retry'))]),
    waiting > 0 &&
      form({ action: `${PATH}/purge`, csrfToken }, [hidden('host', host), submit(t('deliveries.purge'), 'danger')]),
  ]
}

const showList = staffView({
  path: PATH,
  summary: 'List the servers to which deliveries fail, with their waiting deliveries',
  permissions,
  params: { after: param.string({ default: '', max: 255 }) },
  async show({ after }, staff) {
    const { context, t, translator } = staff
    const states = await listHostStates(context.database, { after, limit: PAGE_SIZE + 1 })
    const rows = states.slice(0, PAGE_SIZE)
    return {
      title: t('deliveries.title'),
      navigationPath: PATH,
      body: html`<p>${t('deliveries.intro')}</p>
        ${table({
          caption: t('deliveries.title'),
          columns: [
            { label: t('domain_blocks.domain') },
            { label: t('deliveries.state') },
            { label: t('deliveries.failures'), kind: 'number' },
            { label: t('deliveries.last_failure') },
            { label: t('deliveries.last_success') },
            { label: t('deliveries.waiting'), kind: 'number' },
            { label: t('deliveries.next') },
            { label: t('staff.actions'), kind: 'actions' },
          ],
          rows: rows.map(row => [
            row.host,
            stateCell(staff, row),
            row.failures,
            row.last_failed_at ? html`${time(row.last_failed_at, translator)} ${row.last_error}` : '–',
            row.last_success_at ? time(row.last_success_at, translator) : '–',
            row.waiting,
            row.next_at ? time(row.next_at, translator) : '–',
            actionButtons(staff, row),
          ]),
          empty: t('deliveries.none'),
        })}
        ${pageLinks(translator, {
          newer: after === '' ? undefined : PATH,
          older: states.length > PAGE_SIZE ? href(PATH, { after: rows.at(-1)?.host }) : undefined,
        })}`,
    }
  },
})

const params = { host: param.string({ default: '', max: 255, trim: true }) }

const retryDeliveries = staffForm({
  path: `${PATH}/retry`,
  summary: 'Retry the deliveries to a server at once, even if it is marked unavailable',
  permissions,
  params,
  async act({ host }, { context, viewer, t }) {
    const count = await retryHost(context.database, viewer.id, host.toLowerCase())
    return count === undefined
      ? { to: PATH, alert: t('deliveries.nothing') }
      : { to: PATH, notice: t('deliveries.retried', { count }) }
  },
})

const purgeDeliveries = staffForm({
  path: `${PATH}/purge`,
  summary: 'Delete the deliveries that wait for a server',
  permissions,
  params,
  async act({ host }, { context, viewer, t }) {
    return {
      to: PATH,
      notice: t('deliveries.purged', { count: await purgeHost(context.database, viewer.id, host.toLowerCase()) }),
    }
  },
})

export const deliveryOperations = [showList, retryDeliveries, purgeDeliveries]
