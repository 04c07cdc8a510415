import { changeCredentials, redirectToPassword, refuseDeletion, showCredentials } from './edit.ts'
import { requestReset, showResetRequest } from './request_reset.ts'
import { resetPassword, showReset } from './reset.ts'

export const operations = [
  showResetRequest,
  requestReset,
  showReset,
  resetPassword,
  showCredentials,
  changeCredentials,
  refuseDeletion,
  redirectToPassword,
]
