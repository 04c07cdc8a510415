import { ApiError } from '../../core/errors.ts'
import { startFederationTask } from '../../federation/index.ts'
import { mergeAccounts } from '../../moderation/index.ts'
import { startTask } from '../../moderation/tasks/index.ts'
import { clearFeedsOf } from '../../platform/cache/clear.ts'
import { param } from '../../platform/http/index.ts'
import { staffForm } from '../index.ts'
import { TASKS_PATH } from '../tasks/index.ts'
import { accountPath } from './account_page.ts'
import { findAccountDetails } from './details.ts'
import { ACCOUNTS_PATH } from './list.ts'

const params = { id: param.id() } as const

const refreshAccount = staffForm({
  path: `${ACCOUNTS_PATH}/:id/refresh`,
  summary: 'Fetch an account of another server again, with its avatar and header',
  permissions: ['manage_federation'],
  params,
  async act({ id }, staff) {
    const { context, viewer, t } = staff
    const { domain } = await findAccountDetails(staff, id)
    if (domain === null) throw new ApiError('notAllowed')
    await startFederationTask(context.database, viewer.id, { kind: 'refresh_accounts', account: id })
    return { to: TASKS_PATH, notice: t('tasks.started') }
  },
})

const copyMedia = staffForm({
  path: `${ACCOUNTS_PATH}/:id/copy_media`,
  summary: 'Copy the attachments of an account of another server again',
  permissions: ['manage_federation'],
  params,
  async act({ id }, staff) {
    const { context, viewer, t } = staff
    const { domain } = await findAccountDetails(staff, id)
    if (domain === null) throw new ApiError('notAllowed')
    await startTask(context.database, viewer.id, { kind: 'refresh_media', account: id, widened: true })
    return { to: TASKS_PATH, notice: t('tasks.started') }
  },
})

const rotateKeys = staffForm({
  path: `${ACCOUNTS_PATH}/:id/rotate_keys`,
  summary: 'Replace the signing keys of a local account',
  permissions: ['manage_settings'],
  params: { ...params, sure: param.boolean({ default: false }) },
  async act({ id, sure }, staff) {
    const { context, viewer, t } = staff
    const { domain } = await findAccountDetails(staff, id)
    if (domain !== null) throw new ApiError('notAllowed')
    if (!sure) return { to: accountPath(id), alert: t('accounts.not_sure') }
    await startFederationTask(context.database, viewer.id, { kind: 'rotate_keys', account: id })
    return { to: TASKS_PATH, notice: t('tasks.started') }
  },
})

const buildFeeds = staffForm({
  path: `${ACCOUNTS_PATH}/:id/build_feeds`,
  summary: 'Build the home timeline and the lists of a user again',
  permissions: ['manage_settings'],
  params,
  async act({ id }, { context, viewer, t }) {
    if (!(await clearFeedsOf(context.database, viewer.id, id))) throw new ApiError('notFound')
    return { to: accountPath(id), notice: t('accounts.feeds_built') }
  },
})

const mergeAccount = staffForm({
  path: `${ACCOUNTS_PATH}/:id/merge`,
  summary: 'Merge an account of another server into another one of the same person',
  permissions: ['delete_user_data'],
  params: {
    ...params,
    target: param.string({ default: '', max: 500, trim: true }),
    force: param.boolean({ default: false }),
    sure: param.boolean({ default: false }),
  },
  async act({ id, target, force, sure }, staff) {
    const { context, viewer, t } = staff
    const { domain, handle } = await findAccountDetails(staff, id)
    if (domain === null) throw new ApiError('notAllowed')
    if (!sure) return { to: accountPath(id), alert: t('accounts.not_sure') }
    const to = target.replace(/^@/, '')
    const obstacle = await mergeAccounts(context, { from: handle, to, force, moderator: viewer.id })
    if (obstacle !== undefined) return { to: accountPath(id), alert: t(`accounts.merge.${obstacle}`) }
    return { to: ACCOUNTS_PATH, notice: t('accounts.done.merge', { handle: to }) }
  },
})

export const upkeepOperations = [refreshAccount, copyMedia, rotateKeys, buildFeeds, mergeAccount]
