import { param } from '../../platform/http/index.ts'
import { actOnSelected, statusBatchParameters } from '../account_pages/index.ts'
import { staffForm } from '../index.ts'
import { statusPath } from '../page_parts/index.ts'
import { findStatusDetails } from './details.ts'
import { showStatus, showStatusOfAccount } from './status_page.ts'

const { change, text, notify, sure } = statusBatchParameters

const actOnStatus = staffForm({
  path: '/admin/statuses/:id/action',
  summary: 'Delete a status or mark it as sensitive, with a strike, or report it',
  permissions: ['manage_reports'],
  params: { id: param.id(), change, text, notify, sure },
  async act({ id, ...action }, staff) {
    const { account_id: account } = await findStatusDetails(staff, id)
    return actOnSelected(staff, account, { ...action, status_ids: [id] }, statusPath(id))
  },
})

export const pageOperations = [showStatus, showStatusOfAccount, actOnStatus]
