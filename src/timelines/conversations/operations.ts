import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import {
  type Context,
  cursorsOf,
  type Json,
  list,
  operation,
  page,
  param,
  rangeParameters,
} from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { conversationColumns, renderConversations } from './render.ts'

const findPage = query(
  'timelines/conversations/page',
  {
    viewer: c.id,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { ...conversationColumns, cursor: c.nullable(c.id) },
)
const mark = query(
  'timelines/conversations/mark',
  { viewer: c.id, conversation: c.id, unread: c.boolean },
  { ...conversationColumns, events: c.events },
)
const remove = query(
  'timelines/conversations/delete',
  { viewer: c.id, conversation: c.id },
  { id: c.id, events: c.events },
)

const showConversations = operation({
  method: 'GET',
  path: '/api/v1/conversations',
  auth: 'user',
  scopes: ['read:statuses'],
  summary: 'List the direct conversations of the caller, each with its last status',
  params: { max_id: param.cursor(), since_id: param.cursor(), min_id: param.cursor(), limit: param.limit(20) },
  returns: '[Conversation]',
  async handle(range, context) {
    const { viewer, database, request } = context
    const rows = await database.run(findPage, {
      viewer: viewer.id,
      ...rangeParameters(range),
    })
    const rendered = await renderConversations(context, viewer, rows)
    const items = list(rows.flatMap(row => rendered.get(row.id) ?? []))
    return page(
      items,
      cursorsOf(rows, row => row.cursor ?? row.id),
      request,
      range,
    )
  },
})

async function markConversation(context: Context<'user'>, conversation: Id, unread: boolean): Promise<Json> {
  const row = await context.database.one(mark, { viewer: context.viewer.id, conversation, unread })
  const rendered = row && (await renderConversations(context, context.viewer, [row])).get(row.id)
  if (!rendered) throw new ApiError('notFound')
  return rendered
}

const readConversation = operation({
  method: 'POST',
  path: '/api/v1/conversations/:id/read',
  auth: 'user',
  scopes: ['write:conversations'],
  summary: 'Mark a conversation as read',
  params: { id: param.id() },
  returns: 'Conversation',
  handle: ({ id }, context) => markConversation(context, id, false),
})

const unreadConversation = operation({
  method: 'POST',
  path: '/api/v1/conversations/:id/unread',
  auth: 'user',
  scopes: ['write:conversations'],
  summary: 'Mark a conversation as unread',
  params: { id: param.id() },
  returns: 'Conversation',
  handle: ({ id }, context) => markConversation(context, id, true),
})

const deleteConversation = operation({
  method: 'DELETE',
  path: '/api/v1/conversations/:id',
  auth: 'user',
  scopes: ['write:conversations'],
  summary: 'Remove a conversation from the list; its statuses remain',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(remove, { viewer: viewer.id, conversation: id }))) throw new ApiError('notFound')
    return {}
  },
})

export const operations = [showConversations, readConversation, unreadConversation, deleteConversation]
