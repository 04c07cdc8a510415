import {
  addRelay,
  disableRelay,
  enableRelay,
  listRelays,
  removeRelay,
  type Relay,
  type RelayError,
  type RelayState,
} from '../../federation/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  actionButton,
  field,
  form,
  href,
  html,
  pageLinks,
  submit,
  table,
  time,
  type Content,
} from '../../platform/ui/index.ts'
import { staffForm, staffView, type FormResult, type Staff, type StaffPage } from '../index.ts'

const PATH = '/admin/relays'
const ITEM_PATH = `${PATH}/:id`
const MAX_URL_CHARACTERS = 2048
const PAGE_SIZE = 40
const permissions = ['manage_federation'] as const

function actionButtons({ t, webSession }: Staff, { id, state }: Relay): Content {
  const csrfToken = webSession.csrfToken()
  const button = (change: 'enable' | 'disable'): Content =>
    actionButton({ action: `${PATH}/${id}/${change}`, csrfToken, label: t(`relays.${change}`) })
  const remove = {
    action: `${PATH}/${id}`,
    method: 'delete',
    csrfToken,
    label: t('staff.delete'),
    kind: 'danger',
  } as const
  return [
    (state === 'idle' || state === 'rejected') && button('enable'),
    state !== 'idle' && button('disable'),
    actionButton(remove),
  ]
}

interface ListState {
  /** The inbox URL after which the page starts. */
  readonly after?: string
  /** The submitted URL of a relay that was not added, and the reason. */
  readonly inboxUrl?: string
  readonly error?: string
}

async function listPage(staff: Staff, { after = '', inboxUrl = '', error }: ListState): Promise<StaffPage> {
  const { context, webSession, t, translator } = staff
  const { settings } = context
  const isClosed = settings.get('authorized_fetch') || settings.get('limited_federation_mode')
  const page = await listRelays(context.database, { after, limit: PAGE_SIZE + 1 })
  const relays = page.slice(0, PAGE_SIZE)
  return {
    title: t('relays.title'),
    navigationPath: PATH,
    body: html`<p>${t('relays.intro')}</p>
      ${isClosed && html`<p class="hint">${t('relays.closed_hint')}</p>`}
      ${table({
        caption: t('relays.title'),
        columns: [
          { label: t('relays.inbox') },
          { label: t('relays.state') },
          { label: t('relays.changed') },
          { label: t('staff.actions'), kind: 'actions' },
        ],
        rows: relays.map(relay => [
          html`<bdi>${relay.inbox_url}</bdi>`,
          t(`relays.state.${relay.state as RelayState}`),
          time(relay.changed_at, translator),
          actionButtons(staff, relay),
        ]),
        empty: t('relays.none'),
      })}
      ${pageLinks(translator, {
        newer: after === '' ? undefined : PATH,
        older: page.length > PAGE_SIZE ? href(PATH, { after: relays.at(-1)?.inbox_url }) : undefined,
      })}
      ${form({ action: PATH, csrfToken: webSession.csrfToken() }, [
        field({
          label: t('relays.inbox'),
          name: 'inbox_url',
          type: 'url',
          value: inboxUrl,
          required: true,
          maxLength: MAX_URL_CHARACTERS,
          hint: t('relays.inbox_hint'),
          errors: error === undefined ? [] : [error],
        }),
        submit(t('relays.add')),
      ])}`,
  }
}

const showList = staffView({
  path: PATH,
  summary: 'List the relays',
  permissions,
  params: { after: param.string({ default: '', max: MAX_URL_CHARACTERS }) },
  show: ({ after }, staff) => listPage(staff, { after }),
})

const describeError = ({ t }: Staff, error: RelayError): string =>
  t(error === 'taken' ? 'form_error.ERR_TAKEN' : `relays.${error}`)

const addRelayForm = staffForm({
  path: PATH,
  summary: 'Add a relay and subscribe to its posts',
  permissions,
  params: { inbox_url: param.string({ default: '', trim: true }) },
  async act({ inbox_url: inboxUrl }, staff) {
    const error = await addRelay(staff.context, staff.viewer.id, inboxUrl)
    if (error) return listPage(staff, { inboxUrl, error: describeError(staff, error) })
    return { to: PATH, notice: staff.t('relays.enabled') }
  },
})

const params = { id: param.id() }
const toResult = ({ t }: Staff, isDone: boolean, notice: 'enabled' | 'disabled' | 'deleted'): FormResult =>
  isDone ? { to: PATH, notice: t(`relays.${notice}`) } : { to: PATH, alert: t('relays.nothing') }

const enableRelayForm = staffForm({
  path: `${ITEM_PATH}/enable`,
  summary: 'Subscribe again to a relay that is disabled or has refused',
  permissions,
  params,
  act: async ({ id }, staff) => toResult(staff, await enableRelay(staff.context, staff.viewer.id, id), 'enabled'),
})

const disableRelayForm = staffForm({
  path: `${ITEM_PATH}/disable`,
  summary: 'Disable a relay: nothing is sent to it or accepted from it',
  permissions,
  params,
  act: async ({ id }, staff) => toResult(staff, await disableRelay(staff.context, staff.viewer.id, id), 'disabled'),
})

const removeRelayForm = staffForm({
  path: ITEM_PATH,
  method: 'DELETE',
  summary: 'Delete a relay',
  permissions,
  params,
  act: async ({ id }, staff) => toResult(staff, await removeRelay(staff.context, staff.viewer.id, id), 'deleted'),
})

export const relayOperations = [showList, addRelayForm, enableRelayForm, disableRelayForm, removeRelayForm]
