import { approveSignUp, rejectSignUp } from '../../auth/sign_up/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  ACCOUNT_ACTIONS,
  actOnAccount,
  changeAccountState,
  deleteSuspended,
  findWarningPreset,
  messageOf,
  REVERSALS,
  type AccountAction,
  type Reversal,
  type WarningPreset,
} from '../../moderation/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { param, type Context, type Json } from '../../platform/http/index.ts'
import { adminOperation } from '../index.ts'
import { renderAdminAccounts } from './render.ts'

const accountQuery = query('administration/accounts/find', { account: c.id }, { id: c.id })
const reportQuery = query('administration/accounts/report', { report: c.id, account: c.id }, { id: c.id })

const params = { id: param.id({ description: 'the account' }) }

const findAccountId = async ({ id }: { readonly id: Id }, { database }: Context<'admin'>): Promise<Id | undefined> =>
  (await database.one(accountQuery, { account: id }))?.id

async function renderAccount(context: Context<'admin'>, id: Id): Promise<Json> {
  const entity = (await renderAdminAccounts(context, context.viewer, [id])).get(id)
  if (!entity) throw new ApiError('notFound')
  return entity
}

const showAccount = adminOperation({
  method: 'GET',
  path: '/api/v1/admin/accounts/:id',
  scopes: ['admin:read:accounts'],
  permission: 'manage_users',
  summary: 'Show an account with all details for staff',
  params,
  returns: 'Admin::Account',
  find: findAccountId,
  handle: (_, context, id: Id) => renderAccount(context, id),
})

const WRITE = { scopes: ['admin:write:accounts'], permission: 'manage_users', params, find: findAccountId } as const

const approve = adminOperation({
  ...WRITE,
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/approve',
  summary: 'Approve a pending user',
  returns: 'Admin::Account',
  async handle(_, context, id: Id) {
    await context.database.transaction(transaction => approveSignUp(transaction, context.viewer.id, id))
    return renderAccount(context, id)
  },
})

const reject = adminOperation({
  ...WRITE,
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/reject',
  summary: 'Reject a pending user and delete the account',
  returns: '{}',
  async handle(_, context, id: Id) {
    await rejectSignUp(context, context.viewer.id, id)
    return {}
  },
})

const remove = adminOperation({
  ...WRITE,
  method: 'DELETE',
  path: '/api/v1/admin/accounts/:id',
  permission: 'delete_user_data',
  summary: "Delete a suspended account's data",
  returns: '{}',
  async handle(_, { database, viewer }, id: Id) {
    await database.transaction(transaction => deleteSuspended(transaction, viewer.id, id))
    return {}
  },
})

const SUMMARIES: Readonly<Record<Reversal, string>> = {
  enable: 'Enable a disabled login',
  unsensitive: "Stop marking an account's media as sensitive",
  unsilence: 'Stop limiting an account',
  unsuspend: 'Lift a suspension',
}

const reversals = REVERSALS.map(reversal =>
  adminOperation({
    ...WRITE,
    method: 'POST',
    path: `/api/v1/admin/accounts/:id/${reversal}`,
    summary: SUMMARIES[reversal],
    returns: 'Admin::Account',
    async handle(_, context, id: Id) {
      const { database, viewer } = context
      const changed = await database.transaction(transaction =>
        changeAccountState(transaction, viewer.id, id, reversal),
      )
      if (!changed && reversal === 'unsuspend') throw new ApiError('notAllowed')
      return renderAccount(context, id)
    },
  }),
)

interface ActionTarget {
  readonly account: Id
  readonly report: Id | undefined
  readonly preset: WarningPreset | undefined
}

const takeAction = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/action',
  scopes: ['admin:write:accounts'],
  permission: 'manage_users',
  summary: 'Take action on an account, with a strike',
  params: {
    ...params,
    type: param.string({ optional: true, description: ACCOUNT_ACTIONS.join(', ') }),
    report_id: param.id({ optional: true, description: 'the report that led to it' }),
    warning_preset_id: param.id({ optional: true, description: "a preset's text, before `text`" }),
    text: param.string({ default: '', description: 'message to the account' }),
    send_email_notification: param.boolean({
      default: true,
      description: 'send an e-mail and a notification to the account',
    }),
  },
  returns: '{}',
  async find({ id, report_id: report, warning_preset_id: presetId }, { database }): Promise<ActionTarget | undefined> {
    const account = (await database.one(accountQuery, { account: id }))?.id
    if (account === undefined) return undefined
    if (report !== undefined && !(await database.one(reportQuery, { report, account }))) return undefined
    const preset = presetId === undefined ? undefined : await findWarningPreset(database, presetId)
    return presetId !== undefined && !preset ? undefined : { account, report, preset }
  },
  async handle({ type, text, send_email_notification: notifies }, context, { account, report, preset }: ActionTarget) {
    await actOnAccount(context, account, parseAction(type), {
      moderator: context.viewer.id,
      report: report ?? null,
      text: messageOf(preset, text),
      notifies,
    })
    return {}
  },
})

/** @throws ApiError validation */
function parseAction(type: string | undefined): AccountAction {
  const action = ACCOUNT_ACTIONS.find(candidate => candidate === type)
  if (action !== undefined) return action
  const notIncluded = 'Type is not included in the list'
  throw type === undefined || type.trim() === ''
    ? validationError("Type can't be blank", notIncluded)
    : validationError(notIncluded)
}

export const actions = [showAccount, approve, reject, remove, ...reversals, takeAction]
