import { randomUUID } from 'node:crypto'
import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { instanceActorUri, payloadUri } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const findReport = query(
  'federation/send/report',
  { report: c.id },
  { comment: c.text, target: c.text, statuses: c.texts, collections: c.texts, inboxes: c.texts },
)
const setReportUri = query('federation/send/set_report_uri', { report: c.id, uri: c.text }, {})

/**
 * Sends other servers a report as the instance actor, which hides the reporter.
 */
export const sendFlag = job(
  'federation.send_flag',
  payload => ({ report: idIn(payload, 'report') }),
  async ({ report }, { database, config: { publicUrl } }: Services) => {
    const found = await database.one(findReport, { report })
    if (!found) return
    const { comment, target, statuses, collections, inboxes } = found
    const id = payloadUri(publicUrl, randomUUID())
    const actor = instanceActorUri(publicUrl)
    const activity = { id, type: 'Flag', actor, content: comment, object: [target, ...statuses, ...collections] }
    await database.transaction(async transaction => {
      await transaction.run(setReportUri, { report, uri: id })
      await sendActivity(transaction, { sender: null, object: id, activity, inboxes })
    })
  },
)
