import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Json } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { renderAdminAccounts } from '../accounts/index.ts'
import { renderAdminReports } from '../reports/index.ts'
import type { WebhookEvent } from './events.ts'

const shownStatus = query('administration/webhooks/shown_status', { status: c.id }, { id: c.id })

/** The present subject of an event; undefined when it no longer exists, or is hidden from all. */
async function renderSubject(services: Services, event: WebhookEvent, id: Id): Promise<Json | undefined> {
  if (event === 'status.created' || event === 'status.updated') {
    const shown = await services.database.one(shownStatus, { status: id })
    return shown && (await renderStatuses(services, null, [id])).get(id)
  }
  const rendered = event.startsWith('report.') ? renderAdminReports : renderAdminAccounts
  return (await rendered(services, null, [id])).get(id)
}

/**
 * The body of a delivery.
 * @param at when it happened
 */
export async function makePayload(
  services: Services,
  event: WebhookEvent,
  subject: Id,
  at: string,
): Promise<string | undefined> {
  const object = await renderSubject(services, event, subject)
  return object && `{"event":${JSON.stringify(event)},"created_at":${JSON.stringify(at)},"object":${object.text}}`
}
