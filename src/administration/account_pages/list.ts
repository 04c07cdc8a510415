import { hasPermission } from '../../core/permissions.ts'
import { listRoles, BASE_ROLE } from '../../auth/roles/index.ts'
import { approveSignUp, rejectSignUp } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { actOnAccount } from '../../moderation/index.ts'
import { param, type Json } from '../../platform/http/index.ts'
import {
  batch,
  field,
  foldedFilterForm,
  hidden,
  href,
  html,
  linkButton,
  select,
  time,
  type Content,
} from '../../platform/ui/index.ts'
import { findAccounts, ORIGINS, renderAdminAccounts, STATUSES } from '../accounts/index.ts'
import { cursors, toIdPage, accountLink, toRange } from '../page_parts/index.ts'
import { staffBatch, staffView, type Staff } from '../index.ts'
import type { ShownAccount } from '../../web/public/index.ts'
import { stateBadges } from './state_badges.ts'

export const ACCOUNTS_PATH = '/admin/accounts'
const permissions = ['manage_users'] as const

const CHANGES = ['approve', 'reject', 'suspend'] as const
const CONFIRMED: readonly (typeof CHANGES)[number][] = ['reject', 'suspend']

/** The members of the entity Admin::Account that the list shows. */
interface ListedAccount {
  readonly id: Id
  readonly email: string | null
  readonly ip: string | null
  readonly created_at: string
  readonly invite_request: string | null
  readonly role: { readonly id: string; readonly name: string } | null
  readonly confirmed: boolean | null
  readonly approved: boolean | null
  readonly disabled: boolean | null
  readonly silenced: boolean
  readonly suspended: boolean
  readonly sensitized: boolean
  readonly account: ShownAccount
}

/** Parses an entity rendered by this server. */
const parseListedAccount = ({ text }: Json): ListedAccount => JSON.parse(text) as ListedAccount

const text = param.string({ default: '', trim: true })
const filters = {
  origin: param.enumeration(['', ...ORIGINS], { default: '', fallback: '' }),
  status: param.enumeration(['', ...STATUSES], { default: '', fallback: '' }),
  permissions: param.enumeration(['', 'staff'], { default: '', fallback: '' }),
  role: text,
  invited_by: param.id({ optional: true, invalid: 'missing' }),
  username: text,
  display_name: text,
  by_domain: text,
  email: text,
  ip: text,
} as const

interface AccountListFilter {
  readonly origin: '' | (typeof ORIGINS)[number]
  readonly status: '' | (typeof STATUSES)[number]
  readonly permissions: '' | 'staff'
  readonly role: string
  readonly invited_by: Id | undefined
  readonly username: string
  readonly display_name: string
  readonly by_domain: string
  readonly email: string
  readonly ip: string
}

const undefinedIfEmpty = <T extends string>(value: T): Exclude<T, ''> | undefined =>
  value === '' ? undefined : (value as Exclude<T, ''>)

async function filterFields({ context, t }: Staff, filter: AccountListFilter): Promise<Content> {
  const roles = await listRoles(context.database)
  const search = (name: 'username' | 'display_name' | 'by_domain' | 'email' | 'ip'): Content =>
    field({ label: t(`accounts.${name}`), name, type: 'search', value: filter[name], verbatim: true })
  return [
    search('username'),
    search('display_name'),
    search('email'),
    search('ip'),
    search('by_domain'),
    select({
      label: t('accounts.origin'),
      name: 'origin',
      choices: [['', t('staff.any')], ...ORIGINS.map(origin => [origin, t(`accounts.origin.${origin}`)] as const)],
      value: filter.origin,
    }),
    select({
      label: t('accounts.status'),
      name: 'status',
      choices: [['', t('staff.any')], ...STATUSES.map(status => [status, t(`accounts.state.${status}`)] as const)],
      value: filter.status,
    }),
    select({
      label: t('accounts.role'),
      name: 'role',
      choices: [
        ['', t('staff.any')],
        ...roles.map(({ id, name }) => [id, id === BASE_ROLE ? t('accounts.no_role') : name] as const),
      ],
      value: filter.role,
    }),
    select({
      label: t('accounts.permissions'),
      name: 'permissions',
      choices: [
        ['', t('staff.any')],
        ['staff', t('accounts.staff')],
      ],
      value: filter.permissions,
    }),
    filter.invited_by !== undefined && hidden('invited_by', filter.invited_by),
  ]
}

/** Whether any filter is set. */
const isFiltered = (filter: AccountListFilter): boolean =>
  Object.values(filter).some(value => value !== '' && value !== undefined)

function accountItem(listed: ListedAccount, { t, translator }: Staff): { value: Id; name: string; content: Content } {
  const { id, account, email, ip, role, invite_request: reason, created_at: since } = listed
  const state = {
    ...listed,
    hasUser: email !== null,
    disabled: listed.disabled === true,
    confirmed: listed.confirmed === true,
    approved: listed.approved === true,
  }
  const content = html`<div class="line">
      ${accountLink(account)}
      <span class="end line">
        ${role !== null && role.id !== BASE_ROLE && html`<span class="badge">${role.name}</span>`}
        ${stateBadges(state, translator)}
      </span>
    </div>
    <p class="quiet">
      ${email !== null && html`${email} · `}${ip !== null && html`${ip} · `}${t('accounts.since')}
      ${time(since, translator)}
    </p>
    ${reason !== null && reason !== '' && html`<blockquote class="quotation" dir="auto">${reason}</blockquote>`}`
  return { value: id, name: `@${account.acct}`, content }
}

const showList = staffView({
  path: ACCOUNTS_PATH,
  summary: 'List accounts, with all filters of the admin API',
  permissions,
  params: { ...filters, ...cursors },
  async show({ max_id, min_id, ...filter }, staff) {
    const { context, webSession, viewer, t, translator } = staff
    const ids = await findAccounts(
      context.database,
      {
        origin: undefinedIfEmpty(filter.origin),
        status: undefinedIfEmpty(filter.status),
        staff: filter.permissions === 'staff',
        roleIds: filter.role === '' ? undefined : [filter.role],
        invitedBy: filter.invited_by,
        username: filter.username,
        displayName: filter.display_name,
        domain: filter.by_domain,
        email: filter.email,
        ip: filter.ip,
      },
      toRange({ max_id, min_id }),
    )
    const { rows, links } = toIdPage(
      translator,
      [ACCOUNTS_PATH, filter],
      ids.map(id => ({ id })),
      { max_id, min_id },
    )
    const entities = await renderAdminAccounts(
      context,
      viewer,
      rows.map(({ id }) => id),
    )
    const listed = rows.flatMap(({ id }) => {
      const entity = entities.get(id)
      return entity ? [parseListedAccount(entity)] : []
    })
    return {
      title: t('accounts.title'),
      navigationPath: ACCOUNTS_PATH,
      ...(hasPermission(viewer, 'manage_user_access') && {
        actions: linkButton(`${ACCOUNTS_PATH}/new`, t('accounts.create'), 'primary'),
      }),
      body: html`${foldedFilterForm(ACCOUNTS_PATH, t('staff.filter'), await filterFields(staff, filter), isFiltered(filter))}
      ${batch({
        translator,
        action: `${ACCOUNTS_PATH}/batch`,
        csrfToken: webSession.csrfToken(),
        buttons: CHANGES.map(value => ({
          value,
          label: t(`accounts.batch.${value}`),
          kind: value === 'approve' ? 'plain' : 'danger',
          confirmed: CONFIRMED.includes(value),
        })),
        items: listed.map(one => accountItem(one, staff)),
        empty: t('accounts.none'),
        fields: hidden('back', href(ACCOUNTS_PATH, { ...filter, max_id, min_id })),
      })}
      ${links}`,
      scripts: ['/assets/batch.js'],
      fileOrigins: listed.map(({ account }) => new URL(account.avatar_static).origin),
    }
  },
})

/** Returns whether it was this change, and not the same one of another moderator, that counted. */
async function changeAccount(change: (typeof CHANGES)[number], id: Id, { context, viewer }: Staff): Promise<boolean> {
  if (change === 'suspend') return (await actOnAccount(context, id, 'suspend', { moderator: viewer.id })) !== undefined
  if (change === 'approve') await context.database.transaction(transaction => approveSignUp(transaction, viewer.id, id))
  else await rejectSignUp(context, viewer.id, id)
  return true
}

/** Skips accounts to which the action does not apply, such as approved users. */
const changeSelected = staffBatch({
  path: `${ACCOUNTS_PATH}/batch`,
  summary: 'Approve, reject or suspend accounts',
  permissions,
  changes: CHANGES,
  confirmed: CONFIRMED,
  list: ACCOUNTS_PATH,
  async act(change, ids, staff) {
    let count = 0
    for (const id of ids) {
      try {
        if (await changeAccount(change, id, staff)) count += 1
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
      }
    }
    return count
  },
})

export const listOperations = [showList, changeSelected]
