import { NO_API, type StaffAction } from './staff_action.ts'
import { appeal, link, member, note, publisher, report, reportedStatus, status, tag } from './staff_actions_world.ts'

const P = '/admin/accounts/:id'
const R = '/api/v1/admin/reports/:id'
const Q = '/admin/reports/:id'

const reports: readonly StaffAction[] = [
  {
    does: 'resolve a report',
    logs: 'resolve Report',
    make: report(),
    api: [`POST ${R}/resolve`],
    page: [`POST ${Q}/resolve`],
    ctl: ['reports resolve :id'],
  },
  {
    does: 'reopen a report',
    logs: 'reopen Report',
    make: report('action_taken_at = now()'),
    api: [`POST ${R}/reopen`],
    page: [`POST ${Q}/reopen`],
    ctl: ['reports reopen :id'],
  },
  {
    does: 'assign a report',
    logs: 'assigned_to_self Report',
    make: report(),
    api: [`POST ${R}/assign_to_self`],
    page: [`POST ${Q}/assign_to_self`],
    ctl: ['reports assign :id :owner'],
  },
  {
    does: 'unassign a report',
    logs: 'unassigned Report',
    make: report('assigned_account_id = account_id'),
    api: [`POST ${R}/unassign`],
    page: [`POST ${Q}/unassign`],
    ctl: ['reports unassign :id'],
  },
  {
    does: 'categorize a report',
    logs: 'update Report',
    make: report(),
    api: [
      [`PUT ${R}`, { category: 'spam' }],
      [`PATCH ${R}`, { category: 'spam' }],
    ],
    page: [[`POST ${Q}/category`, { category: 'spam' }]],
    ctl: ['reports categorize :id spam'],
  },
  {
    does: 'delete statuses, with a strike',
    logs: 'create AccountWarning',
    make: reportedStatus,
    page: [[`POST ${Q}/statuses`, { change: 'delete_statuses', sure: '1', status_ids: ':status' }]],
    ctl: ['moderation statuses :username delete_statuses :status --report :id'],
    because: { api: NO_API },
  },
  {
    does: 'delete statuses without a report, with a strike',
    logs: 'create AccountWarning',
    make: async world => {
      const { id = '', account = '' } = await status(world)
      return { id: account, status: id }
    },
    page: [[`POST ${P}/statuses/batch`, { change: 'delete_statuses', sure: '1', status_ids: ':status' }]],
    because: { api: NO_API, ctl: 'the command for statuses of a report, without `--report`' },
  },
  {
    does: 'act on one status',
    logs: 'create AccountWarning',
    make: status,
    page: [['POST /admin/statuses/:id/action', { change: 'delete_statuses', sure: '1' }]],
    because: { api: NO_API, ctl: 'the command for several statuses', unwalked: 'test/administration/status_pages' },
  },
  ...(['account', 'report'] as const).flatMap((kind): StaffAction[] => [
    {
      does: `add a note about an ${kind}`,
      logs: 'create Note',
      make: kind === 'account' ? member() : report(),
      page: [[`POST /admin/${kind}s/:id/notes`, { content: 'x' }]],
      ctl: [kind === 'account' ? 'notes add account :username x' : 'notes add report :id x'],
      because: { api: NO_API },
    },
    {
      does: `delete a note about an ${kind}`,
      logs: 'destroy Note',
      make: note(kind),
      page: [`DELETE /admin/${kind}s/:id/notes/:note`],
      ctl: ['notes delete :note'],
      because: { api: NO_API },
    },
  ]),
  ...(['approve', 'reject'] as const).map((decision): StaffAction => ({
    does: `${decision} an appeal`,
    logs: `${decision} Appeal`,
    make: appeal,
    page: [`POST /admin/disputes/appeals/:id/${decision}`],
    ctl: [`appeals ${decision} :id`],
    because: { api: NO_API },
  })),
]

const T = '/api/v1/admin/trends'
const trends: readonly StaffAction[] = [
  ...(
    [
      ['tags', 'tags', tag, 'tag :name', 'Tag'],
      ['links', 'links', link, 'link :url', 'PreviewCard'],
      ['links/publishers', 'publishers', publisher, 'publisher :domain', 'LinkPublisher'],
      ['statuses', 'statuses', status, 'status :id', 'Status'],
    ] as const
  ).flatMap(([place, list, make, name, type]) =>
    (['approve', 'reject'] as const).map((decision): StaffAction => ({
      does: `${decision} a trend: ${place}`,
      logs: `${decision === 'approve' ? 'allow' : 'forbid'}_trends ${type}`,
      apiLogs: false,
      make,
      api: [`POST ${T}/${place}/:id/${decision}`],
      page: [[`POST /admin/trends/${list}/batch`, { change: decision, ids: ':id' }]],
      ctl: [`trends ${decision} ${name}`],
    })),
  ),
  {
    does: 'approve the statuses of an author',
    logs: 'allow_trends Account',
    make: status,
    page: [['POST /admin/trends/statuses/batch', { change: 'approve_parent', ids: ':id' }]],
    ctl: ['trends approve account :username'],
    because: { api: NO_API },
  },
  {
    does: 'review a hashtag',
    logs: 'update Tag',
    apiLogs: false,
    make: tag,
    api: [
      ['PUT /api/v1/admin/tags/:id', { usable: 'false' }],
      ['PATCH /api/v1/admin/tags/:id', { usable: 'false' }],
    ],
    page: [['PUT /admin/tags/:id', { display_name: ':name', listable: '1' }]],
    ctl: ['tags modify :name --no-usable'],
  },
]

/** The actions on reports, posts, appeals and trends. */
export const reportActions: readonly StaffAction[] = [...reports, ...trends]
