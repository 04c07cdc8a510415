import { c, query } from '../platform/database/index.ts'
import { operation } from '../platform/http/operation.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'
import { refuse } from './draft.ts'

const columns = { id: c.id, conversation_id: c.nullable(c.id), events: c.events } as const
const mute = query('statuses/mute_conversation', { viewer: c.id, status: c.id }, columns)
const unmute = query('statuses/unmute_conversation', { viewer: c.id, status: c.id }, columns)

export const muteConversation = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/mute',
  auth: 'user',
  scopes: ['write:mutes'],
  summary: 'Mute a conversation',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const visible = await context.database.one(mute, { viewer: context.viewer.id, status: id })
    if (!visible) throw statusMissing()
    if (visible.conversation_id === null) throw refuse('Mastodon::ValidationError')
    return respondWithStatus(context, id)
  },
})

export const unmuteConversation = operation({
  method: 'POST',
  path: '/api/v1/statuses/:id/unmute',
  auth: 'user',
  scopes: ['write:mutes'],
  summary: 'Unmute a conversation',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    const visible = await context.database.one(unmute, { viewer: context.viewer.id, status: id })
    if (!visible) throw statusMissing()
    if (visible.conversation_id === null) throw refuse('Mastodon::ValidationError')
    return respondWithStatus(context, id)
  },
})
