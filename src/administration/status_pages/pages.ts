import { param } from '../../platform/http/index.ts'
import { actOnChosen, statusBatchParameters } from '../account_pages/index.ts'
import { staffForm } from '../index.ts'
import { statusPath } from '../page_parts/index.ts'
import { factsOf } from './find.ts'
import { showStatus } from './one.ts'

const { change, text, notify } = statusBatchParameters

const actOnStatus = staffForm({
  path: '/admin/statuses/:id/action',
  summary: 'Delete a status, mark it as sensitive, with a strike, or report it',
  permissions: ['manage_reports'],
  params: { id: param.id(), change, text, notify },
  async act({ id, ...asked }, staff) {
    const { account_id: account } = await factsOf(staff.context.database, id)
    return actOnChosen(staff, account, { ...asked, status_ids: [id] }, statusPath(id))
  },
})

export const pageOperations = [showStatus, actOnStatus]
