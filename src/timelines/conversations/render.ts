import { renderAccounts } from '../../accounts/index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { Json, list } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'

/** The columns of a conversation, for all statements that read conversations. */
export const conversationColumns = {
  id: c.id,
  participants: c.ids,
  last_status_id: c.nullable(c.id),
  unread: c.boolean,
} as const

export type ConversationRow = Row<typeof conversationColumns>

const find = query('timelines/conversations/find', { viewer: c.id, ids: c.ids }, conversationColumns)

/** Renders the viewer's conversations with these ids. */
export async function renderConversations(
  services: Services,
  viewer: Viewer,
  rows: readonly ConversationRow[],
): Promise<Map<Id, Json>> {
  const lastIds = rows.flatMap(row => row.last_status_id ?? [])
  const accountIds = new Set(rows.flatMap(row => othersOf(row, viewer)))
  const [accounts, statuses] = await Promise.all([
    renderAccounts(services, viewer, [...accountIds]),
    renderStatuses(services, viewer, lastIds),
  ])
  return new Map(
    rows.map(row => {
      const others = othersOf(row, viewer).flatMap(id => accounts.get(id) ?? [])
      const last = row.last_status_id === null ? undefined : statuses.get(row.last_status_id)
      const text = `{"id":"${row.id}","unread":${row.unread},"accounts":${list(others).text},"last_status":${last?.text ?? 'null'}}`
      return [row.id, new Json(text)]
    }),
  )
}

/** A conversation with oneself alone shows oneself as the participant. */
const othersOf = (row: ConversationRow, viewer: Viewer): readonly Id[] =>
  row.participants.length > 0 ? row.participants : [viewer.id]

/** Renders one conversation; undefined when the viewer has none with this id. */
export async function renderConversation(services: Services, viewer: Viewer, id: Id): Promise<Json | undefined> {
  const rows = await services.database.run(find, { viewer: viewer.id, ids: [id] })
  return (await renderConversations(services, viewer, rows)).get(id)
}
