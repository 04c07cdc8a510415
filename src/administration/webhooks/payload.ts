import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Json } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { renderAdminAccounts } from '../accounts/index.ts'
import { renderAdminReports } from '../reports/index.ts'
import type { WebhookEvent } from './events.ts'

const visibleStatusQuery = query('administration/webhooks/visible_status', { status: c.id }, { id: c.id })

/**
 * The current entity of an event's subject; undefined if it no longer exists or is hidden from all.
 */
async function renderSubject(services: Services, event: WebhookEvent, id: Id): Promise<Json | undefined> {
  if (event === 'status.created' || event === 'status.updated') {
    const visible = await services.database.one(visibleStatusQuery, { status: id })
    return visible && (await renderStatuses(services, null, [id])).get(id)
  }
  const render = event.startsWith('report.') ? renderAdminReports : renderAdminAccounts
  return (await render(services, null, [id])).get(id)
}

/**
 * The body of a delivery.
 * @param occurredAt the time of the event
 */
export async function makePayload(
  services: Services,
  event: WebhookEvent,
  subject: Id,
  occurredAt: string,
): Promise<string | undefined> {
  const object = await renderSubject(services, event, subject)
  return (
    object && `{"event":${JSON.stringify(event)},"created_at":${JSON.stringify(occurredAt)},"object":${object.text}}`
  )
}
