import { removePicture } from '../../accounts/index.ts'
import { moveForUser, MoveRefused } from '../../accounts/migration/index.ts'
import { requestArchive } from '../../auth/data_export/index.ts'
import { assignRole } from '../../auth/roles/index.ts'
import { approveSignUp, rejectSignUp } from '../../auth/sign_up/index.ts'
import { changeUserAccess, memorialize } from '../../auth/user_access/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Permission } from '../../core/permissions.ts'
import {
  ACCOUNT_ACTIONS,
  actOnAccount,
  addNote,
  changeAccountState,
  deleteMember,
  deleteSuspended,
  findWarningPreset,
  messageOf,
  removeNote,
  requireRank,
  REVERSALS,
} from '../../moderation/index.ts'
import { startReset, startTask } from '../../moderation/tasks/index.ts'
import { removeSubscribers } from '../../notifications/email_subscriptions/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { param, type Context } from '../../platform/http/index.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { TASKS_PATH } from '../tasks/index.ts'
import { acted } from './acted.ts'
import { findAccountDetails } from './details.ts'
import { ACCOUNTS_PATH } from './list.ts'
import { accountPage, accountPath } from './account_page.ts'

const logMove = query('administration/account_pages/log_move', { moderator: c.id, account: c.id }, { entry: c.id })

const params = { id: param.id() } as const

interface ButtonForm {
  readonly name: string
  readonly summary: string
  readonly permission?: Permission
  readonly notice: TextKey
  /** The page to redirect to, for actions that may remove the account. */
  readonly to?: string
  act(id: Id, staff: Staff): Promise<unknown>
}

/** Declares an action that is a single button on the account's page. */
const buttonForm = ({ name, summary, permission = 'manage_users', notice, to, act }: ButtonForm) =>
  staffForm({
    path: `${ACCOUNTS_PATH}/:id/${name}`,
    summary,
    permissions: [permission],
    params,
    async act({ id }, staff) {
      await findAccountDetails(staff, id)
      await act(id, staff)
      return { to: to ?? accountPath(id), notice: staff.t(notice) }
    },
    showError: ({ id }, staff, message) => accountPage(staff, id, message),
  })

const checkRank = ({ database }: Context, { viewer }: Staff, id: Id, permission: Permission) =>
  requireRank(database, viewer.id, id, [permission])

const takeAction = staffForm({
  path: `${ACCOUNTS_PATH}/:id/action`,
  summary: 'Take action on an account, with a strike',
  permissions: ['manage_users'],
  params: {
    ...params,
    type: param.enumeration(ACCOUNT_ACTIONS),
    warning_preset_id: param.id({ optional: true }),
    text: param.string({ default: '', max: 10_000 }),
    notify: param.boolean({ default: false }),
  },
  async act({ id, type, warning_preset_id: presetId, text, notify }, staff) {
    const { context, viewer } = staff
    await findAccountDetails(staff, id)
    const preset = presetId === undefined ? undefined : await findWarningPreset(context.database, presetId)
    if (presetId !== undefined && !preset) throw new ApiError('notFound')
    const reason = { moderator: viewer.id, text: messageOf(preset, text), notifies: notify }
    return acted(staff, await actOnAccount(context, id, type, reason), accountPath(id))
  },
  showError: ({ id }, staff, message) => accountPage(staff, id, message),
})

const reversals = REVERSALS.map(reversal =>
  buttonForm({
    name: reversal,
    summary: `Undo an action on an account: ${reversal}`,
    notice: 'staff.saved',
    act: (id, { context, viewer }) =>
      context.database.transaction(transaction => changeAccountState(transaction, viewer.id, id, reversal)),
  }),
)

const buttonForms = [
  buttonForm({
    name: 'approve',
    summary: 'Approve a sign-up',
    notice: 'accounts.approved',
    act: (id, { context, viewer }) =>
      context.database.transaction(transaction => approveSignUp(transaction, viewer.id, id)),
  }),
  buttonForm({
    name: 'reject',
    summary: 'Reject a sign-up and delete the account',
    notice: 'accounts.rejected',
    to: `${ACCOUNTS_PATH}?status=pending`,
    act: (id, { context, viewer }) => rejectSignUp(context, viewer.id, id),
  }),
  ...(['avatar', 'header'] as const).map(kind =>
    buttonForm({
      name: `remove_${kind}`,
      summary: `Remove the ${kind} of an account`,
      notice: 'staff.deleted',
      async act(id, staff) {
        await checkRank(staff.context, staff, id, 'manage_users')
        await removePicture(staff.context.database, staff.viewer.id, id, kind)
      },
    }),
  ),
  buttonForm({
    name: 'remove_email_subscribers',
    summary: 'Remove all e-mail subscribers of an account',
    notice: 'accounts.done.remove_email_subscribers',
    async act(id, staff) {
      await checkRank(staff.context, staff, id, 'manage_users')
      await removeSubscribers(staff.context.database, staff.viewer.id, id)
    },
  }),
  ...(['confirm', 'resend', 'reset_password'] as const).map(action =>
    buttonForm({
      name: action,
      summary: `Change the login of an account: ${action}`,
      permission: 'manage_user_access',
      notice: `accounts.done.${action}`,
      act: (id, { context, viewer }) => changeUserAccess(context.database, viewer.id, id, { action }),
    }),
  ),
]

const requestAccountArchive = buttonForm({
  name: 'backup',
  summary: "Request an archive of an account's data; its user gets an e-mail when it is ready",
  permission: 'manage_user_access',
  notice: 'accounts.done.backup',
  async act(id, staff) {
    const { context, viewer } = staff
    const { user_id: user } = await findAccountDetails(staff, id)
    if (user === null) throw new ApiError('notFound')
    await checkRank(context, staff, id, 'manage_user_access')
    await requestArchive(context.database, user, { moderator: viewer.id })
  },
})

const changeEmail = staffForm({
  path: `${ACCOUNTS_PATH}/:id/email`,
  summary: 'Change the e-mail address of an account',
  permissions: ['manage_user_access'],
  params: { ...params, email: param.string({ default: '' }) },
  async act({ id, email }, { context, viewer, t }) {
    await changeUserAccess(context.database, viewer.id, id, { action: 'change_email', email })
    return { to: accountPath(id), notice: t('accounts.done.change_email') }
  },
  showError: ({ id }, staff, message) => accountPage(staff, id, message),
})

const changeRole = staffForm({
  path: `${ACCOUNTS_PATH}/:id/role`,
  summary: 'Change the role of an account',
  permissions: ['manage_roles'],
  params: { ...params, role_id: param.id({ optional: true }) },
  async act({ id, role_id: role }, { context, viewer, t }) {
    await context.database.transaction(transaction => assignRole(transaction, viewer.id, id, role ?? null))
    return { to: accountPath(id), notice: t('staff.saved') }
  },
  showError: ({ id }, staff, message) => accountPage(staff, id, message),
})

interface ConfirmedForm {
  readonly name: 'purge' | 'memorialize' | 'delete' | 'follow_all' | 'unfollow_all' | 'disable_2fa'
  readonly summary: string
  readonly permission?: Permission
  /** The page to redirect to; the account's by default. */
  readonly to?: string
  act(id: Id, staff: Staff): Promise<unknown>
}

/**
 * Declares an action that requires a ticked checkbox, because it is irreversible or far-reaching.
 */
const confirmedForm = ({ name, summary, permission = 'delete_user_data', to, act }: ConfirmedForm) =>
  staffForm({
    path: `${ACCOUNTS_PATH}/:id/${name}`,
    summary,
    permissions: [permission],
    params: { ...params, sure: param.boolean({ default: false }) },
    async act({ id, sure }, staff) {
      await findAccountDetails(staff, id)
      if (!sure) return { to: accountPath(id), alert: staff.t('accounts.not_sure') }
      await act(id, staff)
      return { to: to ?? accountPath(id), notice: staff.t(`accounts.done.${name}`) }
    },
  })

const confirmedForms = [
  confirmedForm({
    name: 'purge',
    summary: 'Delete the data of a suspended account',
    act: (id, { context, viewer }) =>
      context.database.transaction(transaction => deleteSuspended(transaction, viewer.id, id)),
  }),
  confirmedForm({
    name: 'delete',
    summary: 'Delete a local account with all data',
    async act(id, staff) {
      const { context, viewer } = staff
      await checkRank(context, staff, id, 'delete_user_data')
      await context.database.transaction(transaction => deleteMember(transaction, viewer.id, id))
    },
  }),
  confirmedForm({
    name: 'memorialize',
    summary: 'Memorialize an account',
    async act(id, staff) {
      await checkRank(staff.context, staff, id, 'delete_user_data')
      await memorialize(staff.context.database, staff.viewer.id, id)
    },
  }),
  confirmedForm({
    name: 'disable_2fa',
    summary: 'Switch off the second factor of an account',
    permission: 'manage_user_access',
    act: (id, { context, viewer }) => changeUserAccess(context.database, viewer.id, id, { action: 'disable_2fa' }),
  }),
  confirmedForm({
    name: 'follow_all',
    summary: 'Make all local accounts follow a local account',
    permission: 'manage_settings',
    to: TASKS_PATH,
    async act(id, staff) {
      const { context, viewer } = staff
      const { domain, suspended_at: suspended, approved } = await findAccountDetails(staff, id)
      if (domain !== null || suspended !== null || !approved) throw new ApiError('notAllowed')
      await startTask(context.database, viewer.id, { kind: 'follow_all', account: id })
    },
  }),
  confirmedForm({
    name: 'unfollow_all',
    summary: 'Make all local accounts unfollow an account',
    permission: 'manage_settings',
    to: TASKS_PATH,
    act: (id, { context, viewer }) => startTask(context.database, viewer.id, { kind: 'unfollow_all', account: id }),
  }),
]

const resetRelationships = staffForm({
  path: `${ACCOUNTS_PATH}/:id/reset_relationships`,
  summary: 'Remove the follows, the followers, or both of a local account',
  permissions: ['delete_user_data'],
  params: {
    ...params,
    follows: param.boolean({ default: false }),
    followers: param.boolean({ default: false }),
    sure: param.boolean({ default: false }),
  },
  async act({ id, follows, followers, sure }, staff) {
    const { context, viewer, t } = staff
    const { domain } = await findAccountDetails(staff, id)
    if (domain !== null) throw new ApiError('notAllowed')
    await checkRank(context, staff, id, 'delete_user_data')
    if (!follows && !followers) return { to: accountPath(id), alert: t('accounts.reset_nothing') }
    if (!sure) return { to: accountPath(id), alert: t('accounts.not_sure') }
    await startReset(context.database, viewer.id, { account: id, follows, followers })
    return { to: accountPath(id), notice: t('accounts.done.reset_relationships') }
  },
})

const moveAccount = staffForm({
  path: `${ACCOUNTS_PATH}/:id/move`,
  summary: 'Move a local account with its followers to another one, or repeat its last move',
  permissions: ['delete_user_data'],
  params: {
    ...params,
    target: param.string({ default: '', max: 500 }),
    force: param.boolean({ default: false }),
    sure: param.boolean({ default: false }),
  },
  async act({ id, target, force, sure }, staff) {
    const { context, viewer, t } = staff
    const { domain } = await findAccountDetails(staff, id)
    if (domain !== null) throw new ApiError('notAllowed')
    await checkRank(context, staff, id, 'delete_user_data')
    if (!sure) return { to: accountPath(id), alert: t('accounts.not_sure') }
    try {
      const handle = await moveForUser(context, id, { target: target.trim() || undefined, force })
      await context.database.run(logMove, { moderator: viewer.id, account: id })
      return { to: accountPath(id), notice: t('accounts.done.move', { handle }) }
    } catch (error) {
      if (!(error instanceof MoveRefused)) throw error
      return { to: accountPath(id), alert: t(`accounts.move.${error.obstacle}`) }
    }
  },
  showError: ({ id }, staff, message) => accountPage(staff, id, message),
})

const noteForms = [
  staffForm({
    path: `${ACCOUNTS_PATH}/:id/notes`,
    summary: 'Add a note about an account',
    permissions: ['manage_reports'],
    params: { ...params, content: param.string({ default: '' }) },
    async act({ id, content }, { context, viewer, t }) {
      await addNote(context.database, viewer.id, { account: id }, content)
      return { to: `${accountPath(id)}#notes`, notice: t('staff.added') }
    },
    showError: ({ id, content }, staff, message) => accountPage(staff, id, message, content),
  }),
  staffForm({
    path: `${ACCOUNTS_PATH}/:id/notes/:note`,
    method: 'DELETE',
    summary: 'Delete a note about an account',
    permissions: ['manage_reports'],
    params: { ...params, note: param.id() },
    async act({ id, note }, { context, viewer, t }) {
      await removeNote(context.database, viewer.id, note)
      return { to: `${accountPath(id)}#notes`, notice: t('staff.deleted') }
    },
  }),
]

export const actionOperations = [
  takeAction,
  ...reversals,
  ...buttonForms,
  requestAccountArchive,
  changeEmail,
  changeRole,
  ...confirmedForms,
  resetRelationships,
  moveAccount,
  ...noteForms,
]
